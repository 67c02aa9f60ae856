"""Mutated files give the same rows, sentences and line numbers, however many threads read them."""

from random import Random

import pytest
from files.test_compiled_tables import everything
from pace import some

from onebit.streams.reading import side_by_side
from onebit.streams.reading import source as source_file
from torture.mutations import mutate
from torture.targets.readers import TEXTS

#: A table of JSON lines beside the files of `make torture`.
FILES = TEXTS | {
    "table": b'{"a": 1.5, "b": "red", "c": 1e3, "y": "p"}\n{"a": 2, "b": "gr\xc3\xbcn", "y": "q"}\n'
             b'{"a": null, "b": "red\\n", "c": -7.0, "y": "p"}\n',
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:overflow encountered")
@pytest.mark.parametrize("kind", FILES)
def test_one_thread_and_several(put, capsys, monkeypatch, kind):
    draw, outcomes = Random(kind), set()
    for n in range(some(40, 8)):
        content = mutate(FILES[kind] * draw.choice((1, 3)), draw)
        path = put(f"{n}.{kind}", content)
        spec = (
            f"{path}:format={'jsonl' if kind == 'table' else kind}{draw.choice(('', ',bad=skip'))}"
        )
        monkeypatch.setattr(source_file, "CHUNK", draw.choice((1, 11, 40)))
        monkeypatch.setattr(side_by_side, "cores", lambda: 1)
        one = everything(spec, capsys)
        monkeypatch.setattr(side_by_side, "cores", lambda: 3)
        assert everything(spec, capsys) == one
        outcomes.add(bool(one[2]))
    assert outcomes == {False, True}
