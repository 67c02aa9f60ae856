"""Files of all formats, mutated: each is refused in a sentence, or gives rows that are sound."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from onebit.kernel.validation import check_block
from onebit.streams import file as file_stream
from onebit.streams.log import Log
from onebit.streams.opening import open_stream
from onebit.streams.reading import bad_lines
from torture.mutations import mutate
from torture.shrinking import without_parts

TEXTS = {
    "csv": b'a,b,c,y\n1,red,0.5,p\n2,"gr,een",-3e2,q\n3,red,,p\n4,blue,7,q\n5,"x\ny",1,p\n',
    "tsv": b"a\tb\ty\n1\tred\tp\n2\tgreen\tq\n3\tblue\tp\n",
    "svmlight": b"1 1:0.5 3:2 # note\n2 2:1e3\n1 1:-1 2:0 7:.5\n+1 qid:3 4:1\n",
    "vw": b"1 |n a b:2 c\n2 0.5 'tag|m x:1e2 |n a\n1 |n\n",
    "jsonl": b'{"x": {"a": 1, "b": "red"}, "y": "p"}\n{"x": {"c": -2.5}, "y": "q"}\n'
             b'{"x": {"a": true}, "y": 3}\n',
    "text": b"p\tthe quick brown fox\nq\tthe lazy dog dog\np\t\n",
}  # fmt: skip
LOGS = {
    "jsonl": b'{"x": {"a": 1}, "label": "p", "prob": 0.5, "correct": true}\n'
             b'{"x": {"b": 2}, "label": "q", "prob": 0.25, "correct": false, "truth": "p"}\n',
    "vw": b"p:0:0.5 |n a b:2\nq:1:0.25 |n c\n",
}  # fmt: skip
OPTIONS = (
    "bad=skip", "labels=p|q", "labels=1|2", "label=y", "label=first", "label=1", "header=no",
    "features=7",
    "features=300", "base=0", "values=seen", "numbers=a", "categories=b", "hashed=64",
    "columns=3/4",
    "values=a/1/2|b/red", "text=2",
)  # fmt: skip


def tables() -> dict[str, bytes]:
    """Return small files of the binary formats."""
    found = {"packed": _packed()}
    with contextlib.suppress(ImportError):
        import pyarrow as pa
        import pyarrow.feather
        import pyarrow.parquet

        table = pa.table({
            "n": [1.0, None, 3.5, 2.0], "i": pa.array([1, 2, 3, 4], pa.int32()),
            "s": ["red", "green", None, "blü"], "b": [True, False, True, None],
            "d": pa.array(["u", "v", "u", "w"]).dictionary_encode(),
            "t": pa.array([1, 2, 3, 4], pa.timestamp("ns")), "y": ["p", "q", "p", "q"],
        })  # fmt: skip
        parquet, arrow = io.BytesIO(), io.BytesIO()
        pyarrow.parquet.write_table(table, parquet, compression="none")
        pyarrow.feather.write_feather(table, arrow, compression="uncompressed")
        found |= {"parquet": parquet.getvalue(), "arrow": arrow.getvalue()}
    return found


def _packed() -> bytes:
    from onebit.streams.formats.packed import pack

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.svm").write_bytes(TEXTS["svmlight"])
        pack(open_stream(f"{folder}/a.svm", 0), Path(folder) / "a.onebit", "a")
        return (Path(folder) / "a.onebit").read_bytes()


class Target:
    """A case is the format, the bytes, the options, and whether it is a log."""

    def __init__(self) -> None:
        self._tables = tables()
        self._folder = tempfile.mkdtemp(prefix="torture-")

    def make(self, random: Random) -> Any:
        """Return a mutated file."""
        if random.random() < 0.15:
            kind = random.choice([*LOGS])
            return kind, mutate(LOGS[kind], random), (), True
        kind = random.choice([*TEXTS, *TEXTS, *self._tables])
        content = TEXTS.get(kind) or self._tables[kind]
        options = random.sample(OPTIONS, random.choice((0, 0, 1, 1, 2)))
        if (
            kind in TEXTS and random.random() < 0.1
        ):  # damage the compressed bytes, or what is in them
            content = gzip.compress(mutate(content, random), mtime=0)
        return kind, mutate(content, random), tuple(options), False

    def run(self, case: Any) -> None:
        """Read the file and check every block of it."""
        kind, content, options, is_log = case
        bad_lines._notified.clear()
        file_stream._surveys.clear()
        path = os.path.join(self._folder, f"case.{'onebit' if kind == 'packed' else kind}")
        with open(path, "wb") as file:
            file.write(content)
        spec = f"{path}:format={'parquet' if kind == 'arrow' else kind}"
        spec = ",".join([spec, *options])
        with contextlib.redirect_stderr(io.StringIO()):
            if is_log:
                log = Log(spec, hears_bit=True)
                for rounds in log.rounds():
                    check_block("torture", rounds.block, log.features, len(log.labels))
                    assert ((rounds.probs > 0) & (rounds.probs <= 1)).all()
                return
            stream = open_stream(spec, 0)
            count = 0
            for block in stream.blocks():
                check_block("torture", block, stream.features, len(stream.labels))
                count += block.rounds
        assert stream.length in (None, count), f"{stream.length} rows promised, {count} came"
        assert len({*map(repr, stream.labels)}) == len(stream.labels) >= 2

    def smaller(self, case: Any) -> Iterator[Any]:
        """Yield the case with less of the file, or without options."""
        kind, content, options, is_log = case
        for fewer in without_parts(options):
            yield kind, content, fewer, is_log
        for less in without_parts(content):
            yield kind, less, options, is_log
