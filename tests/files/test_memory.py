"""Reading a file takes as much memory as a piece of it, whatever its length."""

import tracemalloc

import pytest

from onebit.streams.opening import open_stream
from onebit.streams.reading import source


def peak(spec):
    """The most memory that going over a file takes, in bytes; a block is dropped when used."""
    stream = open_stream(spec, 0)
    tracemalloc.start()
    rows = 0
    for block in stream.blocks():
        rows += block.rounds
    top = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return top, rows


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("svm", "{} 1:0.5 7:1.25 90:3\n"),
        ("vw", "{} |n a:0.5 b:1.25 c\n"),
        ("csv", "1,2.5,u,{}\n"),
        ("tsv", "1\t2.5\tu\t{}\n"),
        ("jsonl", '{{"x": {{"a": 1, "b": 2}}, "y": {}}}\n'),
        ("txt", "{}\tsome words\n"),
    ],
)
def test_more_rows_take_the_same_memory(put, monkeypatch, name, line):
    monkeypatch.setattr(source, "CHUNK", 1 << 14)
    monkeypatch.setattr("onebit.streams.reading.tabular._GROUP_FIELDS", 2000)
    monkeypatch.setattr("onebit.streams.reading.row_batcher.BATCH_ENTRIES", 2000)
    head = "a,b,c,y\n" if name == "csv" else "a\tb\tc\ty\n" if name == "tsv" else ""

    def peaks(n):
        spec = put(f"{n}.{name}", head + "".join(line.format(k % 3) for k in range(n)))
        tops, rows = zip(*(peak(spec) for _ in range(3)), strict=True)
        assert set(rows) == {n}
        return tops

    # how many pieces wait for their turn at once differs from pass to pass, not with the rows
    short, long = peaks(40_000), peaks(160_000)
    assert min(long) < 1.2 * max(short)
    assert max(long) < 8_000_000
