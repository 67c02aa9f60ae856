"""Any stream written in each format is read back equal."""

import gzip
import tempfile
from pathlib import Path

import mmh3
import numpy as np
import pytest
from files import write
from hypothesis import given, settings
from hypothesis import strategies as st

from onebit.kernel.features import HASHED_WIDTH
from onebit.streams.formats.packed import pack
from onebit.streams.opening import open_stream

values = st.one_of(
    st.just(0.0), st.integers(-9, 9).map(float), st.floats(-1e90, 1e90, allow_subnormal=False)
)
words = st.text("abcdefghijkläöüß_", min_size=1, max_size=6)


@st.composite
def tables(draw):
    """Rows of one width, and labels: at least two, all words or all whole numbers."""
    width = draw(st.integers(1, 5))
    rows = draw(st.lists(st.lists(values, min_size=width, max_size=width), min_size=2, max_size=12))
    kind = draw(st.sampled_from([words, st.integers(-99, 99)]))
    labels = draw(st.lists(kind, min_size=len(rows), max_size=len(rows)))
    others = draw(st.lists(kind, min_size=2, max_size=2, unique=True))
    return np.array(rows) + 0.0, [*others, *labels[2:]]


def varying(rows):
    """The columns of a table that are not left out; if all are, rows are zero."""
    kept = [j for j in range(rows.shape[1]) if len(set(rows[:, j].tolist())) > 1]
    return rows[:, kept] if kept else np.zeros((len(rows), 1))


def read_back(text, name, **params):
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        spec = ",".join(f"{key}={value}" for key, value in params.items())
        stream = open_stream(f"{path}:{spec}" if spec else str(path), 0)
        return stream, *write.dense(stream)


def check(stream, labels, found_labels):
    assert found_labels == labels
    assert list(stream.labels) == sorted(set(labels))
    assert stream.length == len(labels)


@settings(max_examples=40, deadline=None)
@given(tables(), st.sampled_from([0, 1]))
def test_svmlight(table, base):
    rows, labels = table
    text = write.svmlight(rows.tolist(), labels, base)
    stream, found, found_labels = read_back(text, "a.svm", base=base)
    check(stream, labels, found_labels)
    used = max((j + 1 for row in rows for j, v in enumerate(row) if v), default=1)
    assert stream.features == used
    assert np.array_equal(found, rows[:, :used])


@settings(max_examples=40, deadline=None)
@given(tables())
def test_vw(table):
    rows, labels = table
    stream, found, found_labels = read_back(write.vw(rows.tolist(), labels), "a.vw")
    check(stream, labels, found_labels)
    columns = [mmh3.hash(f"n^f{j}", signed=False) % HASHED_WIDTH for j in range(rows.shape[1])]
    assert np.array_equal(found[:, columns], rows)
    assert np.count_nonzero(found) == np.count_nonzero(rows)


@settings(max_examples=40, deadline=None)
@given(tables(), st.sampled_from(["csv", "tsv"]))
def test_separated(table, name):
    rows, labels = table
    style = {"delimiter": "\t"} if name == "tsv" else {}
    text = write.separated(rows.tolist(), labels, **style)
    stream, found, found_labels = read_back(gzip.compress(text.encode()), f"a.{name}.gz")
    check(stream, labels, found_labels)
    assert np.array_equal(found, varying(rows))


@settings(max_examples=40, deadline=None)
@given(tables())
def test_jsonl(table):
    rows, labels = table
    stream, found, found_labels = read_back(write.jsonl(rows.tolist(), labels), "a.jsonl")
    check(stream, labels, found_labels)
    assert np.array_equal(found, rows)


@settings(max_examples=20, deadline=None)
@given(tables())
def test_parquet_and_arrow(table):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    rows, labels = table
    columns = {f"f{j}": rows[:, j] for j in range(rows.shape[1])}
    arrow = pyarrow.table({**columns, "label": labels})
    with tempfile.TemporaryDirectory() as directory:
        paths = [f"{directory}/a.parquet", f"{directory}/a.arrow"]
        parquet.write_table(arrow, paths[0])
        feather.write_feather(arrow, paths[1], compression="uncompressed")
        for path in paths:
            stream = open_stream(path, 0)
            found, found_labels = write.dense(stream)
            check(stream, labels, found_labels)
            assert np.array_equal(found, varying(rows))


@settings(max_examples=40, deadline=None)
@given(tables())
def test_packed(table):
    rows, labels = table
    with tempfile.TemporaryDirectory() as directory:
        source, target = Path(directory) / "a.csv", Path(directory) / "a.onebit"
        source.write_text(write.separated(rows.tolist(), labels), encoding="utf-8")
        assert pack(open_stream(str(source), 0), target, "test") == len(rows)
        stream = open_stream(str(target), 0)
        found, found_labels = write.dense(stream)
        check(stream, labels, found_labels)
        assert np.array_equal(found, varying(rows))
        assert not list(Path(directory).glob(".*"))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(words, min_size=1, max_size=9), min_size=2, max_size=8))
def test_text(documents):
    labels = ["a", "b", *("a" for _ in documents[2:])]
    lines = [f"{y}\t{' '.join(doc)}\n" for y, doc in zip(labels, documents, strict=True)]
    _stream, found, found_labels = read_back("".join(lines), "a.txt")
    assert found_labels == labels
    for row, document in zip(found, documents, strict=True):
        expected = np.zeros(HASHED_WIDTH)
        for word in set(document):
            column = mmh3.hash(word, signed=False) % HASHED_WIDTH
            expected[column] += 1 + np.log(document.count(word))
        # the same sums in another order
        assert np.allclose(row, expected / np.sqrt((expected**2).sum()), rtol=1e-12, atol=0)
