"""A log of each format is kept, and still gives the state that it gave when it was written.

`python tests/store/test_old_logs.py NAME` writes one with this version.
"""

import gzip
import json
import sys
import tempfile
from pathlib import Path

import pytest

from onebit.store.directory import STORE, open_for_reading, open_for_writing
from onebit.store.recent import Recent
from onebit.store.recovery import recover
from onebit.store.verifying import verify

LOGS = Path(__file__).parent / "logs"


def write(name):
    """Write a log with every kind of event, a snapshot, and the digest that it leads to."""
    from log_writer import Writer

    from onebit.store.fold import snapshot_content

    with tempfile.TemporaryDirectory() as folder:
        with open_for_writing(Path(folder)) as store:
            writer = Writer(store, seed=1)
            writer.some(150)
            content = snapshot_content(writer.fold.header(), writer.fold.agent.to_bytes())
            for _ in store.write_snapshot("shop", writer.fold.seq, content):
                pass
            writer.some(100)
            reader = open_for_reading(Path(folder))
            reader.backup(Path(folder) / "copy")
            reader.close()
        content = gzip.compress((Path(folder) / "copy").read_bytes(), mtime=0)
        (LOGS / f"{name}.sqlite.gz").write_bytes(content)
        known = {"events": writer.fold.seq, "digest": writer.fold.agent.digest().hex()}
        (LOGS / f"{name}.json").write_text(json.dumps(known) + "\n")


@pytest.mark.parametrize("name", sorted(path.stem for path in LOGS.glob("*.json")))
def test_an_old_log_gives_the_state_that_it_gave(tmp_path, name):
    known = json.loads((LOGS / f"{name}.json").read_text())
    packed = (LOGS / f"{name}.sqlite.gz").read_bytes()
    (tmp_path / STORE).write_bytes(gzip.decompress(packed))
    with open_for_writing(tmp_path) as store:
        found = verify(store)
        assert found.events == known["events"]
        assert found.digests == {"shop": known["digest"]}
        start = recover(store, Recent())["shop"]
        assert start.agent.digest().hex() == known["digest"]


def test_there_is_a_log_of_this_format():
    from onebit.store.schema import FORMAT

    assert any(path.name.startswith(f"format-{FORMAT}") for path in LOGS.glob("*.gz"))


if __name__ == "__main__":
    write(sys.argv[1])
