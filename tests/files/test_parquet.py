"""Columns of Parquet and Arrow are read without becoming text, as in Python and as the same CSV."""

import csv
import datetime
import decimal
import io
import random

import numpy as np
import pytest
from files.test_compiled_tables import everything
from pace import some

from onebit.streams.formats import parquet as parquet_format
from onebit.streams.reading import arrow_file, side_by_side
from onebit.streams.tables import survey
from onebit.streams.tables.fields import text_of

pa = pytest.importorskip("pyarrow")
feather = pytest.importorskip("pyarrow.feather")
parquet = pytest.importorskip("pyarrow.parquet")

ROWS = some(600, 120)
START = datetime.datetime(2023, 1, 2, 3, 4, 5)


def some_gaps(values, seed):
    draw = random.Random(seed)
    return [None if draw.random() < 0.07 else value for value in values]


def columns():
    """Columns of all types, by name, for tables of ROWS rows."""
    draw = random.Random(1)
    whole = [draw.randrange(-100, 100) for _ in range(ROWS)]
    large = [draw.randrange(2**63) for _ in range(ROWS)]
    floats = [draw.choice([draw.gauss(0, 1), -0.0, 1e-7, 12.0, 1e22, 5e-324]) for _ in range(ROWS)]
    words = [draw.choice(["red", "grün", "", "not known", "NA"]) for _ in range(ROWS)]
    texts = [" ".join(draw.choices(["uno", "Dos", "très", "x"], k=5)) for _ in range(ROWS)]
    times = [START + datetime.timedelta(minutes=37 * n) for n in range(ROWS)]
    made = {f"whole {kind}": pa.array(some_gaps(whole, kind), kind)
            for kind in ("int8", "int16", "int32", "int64", "float32", "float64")}  # fmt: skip
    return made | {
        "unsigned": pa.array(some_gaps([n * 2 for n in large], 2), "uint64"),
        "large": pa.array(large, "int64"),
        "floats": pa.array(some_gaps(floats, 3), "float64"),
        "nan": pa.array([float("nan") if n % 9 == 0 else f for n, f in enumerate(floats)]),
        "half": pa.array(np.array(whole, np.float16)),
        "single": pa.array(some_gaps([draw.gauss(0, 1) for _ in whole], 4), "float32"),
        "few": pa.array([n % 5 for n in whole], "int32"),
        "codes": pa.array([draw.choice([1, 7, 9]) for _ in whole], "int64"),
        "flag": pa.array([n % 10 == 0 for n in whole], "bool"),
        "binary": pa.array([int(n % 10 == 0) for n in whole], "uint8"),
        "gaps": pa.array(some_gaps([n > 0 for n in whole], 5), "bool"),
        "words": pa.array(some_gaps(words, 6)),
        "large words": pa.array(some_gaps(words, 7), "large_string"),
        "dictionary": pa.array(some_gaps(words, 8)).dictionary_encode(),
        "numbered": pa.array(some_gaps(whole, 9)).dictionary_encode(),
        "text": pa.array(some_gaps(texts, 10)),
        "large text": pa.array(texts, "large_string"),
        "price": pa.array([decimal.Decimal(n) / 8 for n in whole], pa.decimal128(9, 3)),
        "seconds": pa.array(some_gaps(times, 11), pa.timestamp("s")),
        "micro": pa.array(times, pa.timestamp("us")),
        "zoned": pa.array(times, pa.timestamp("ms", "UTC")),
        "day": pa.array([time.date() for time in times], "date32"),
        "clock": pa.array([time.time() for time in times], "time64[us]"),
        "bytes": pa.array([word.encode() for word in words], "binary"),
        "nothing": pa.nulls(ROWS),
        "numbers in text": pa.array([f"{n / 4}" for n in whole]),
        "y": pa.array(["p", "q", "q"] * (ROWS // 3)),
    }


def in_python(spec, capsys):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet_format, "is_compiled", lambda reading: False)
        return everything(spec, capsys)


def put(table, path, arrow=False):
    if arrow:
        feather.write_feather(table, str(path), compression="uncompressed")
    else:
        parquet.write_table(table, path, row_group_size=250)
    return str(path)


def same(one, other):
    """Whether two files are the same but for their names."""
    assert (*one[:2], one[2].partition(": ")[2]) == (*other[:2], other[2].partition(": ")[2])


@pytest.mark.parametrize("arrow", [False, True])
@pytest.mark.parametrize("more", ["", ":bad=skip,hashed=64", ":bad=skip,numbers=floats|words"])
def test_every_type_is_read_as_in_python(tmp_path, capsys, arrow, more):
    path = put(pa.table(columns()), tmp_path / ("a.arrow" if arrow else "a.parquet"), arrow)
    found = everything(path + more, capsys)
    assert found == in_python(path + more, capsys)
    assert len(found[1]) == ROWS or "numbers" in more


@pytest.mark.parametrize("name", [name for name in columns() if name != "y"])
def test_a_column_is_that_of_the_same_csv(tmp_path, capsys, name):
    made = columns()
    table = pa.table({"other": made["few"], name: made[name], "y": made["y"]})
    path = put(table, tmp_path / "a.parquet")
    found = everything(path, capsys)
    assert found == in_python(path, capsys)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.column_names)
    values = zip(*(map(text_of, column.to_pylist()) for column in table.columns), strict=True)
    writer.writerows(values)
    text = tmp_path / "a.csv"
    text.write_text(out.getvalue(), encoding="utf-8")
    same(found, everything(f"{text}:header=yes,delimiter=comma", capsys))


@pytest.mark.compiled
@pytest.mark.parametrize("cores", [1, 3])
def test_a_boundary_at_any_row_changes_nothing(tmp_path, capsys, monkeypatch, cores):
    monkeypatch.setattr(side_by_side, "cores", lambda: cores)
    table = pa.table(columns()).slice(3, 41)
    bad = table.column("words").combine_chunks().cast("binary").to_pylist()
    bad[7], bad[23] = b"\xff", b"a\0b"
    damaged = pa.Array.from_buffers(pa.string(), 41, pa.array(bad, "binary").buffers())
    table = table.set_column(table.column_names.index("words"), "words", damaged)
    floats = table.column("floats").to_pylist()
    floats[11] = float("inf")
    table = table.set_column(table.column_names.index("floats"), "floats", [floats])
    path = put(table, tmp_path / "a.arrow", arrow=True)
    for more in (":bad=skip", ":bad=skip,numbers=floats", ""):
        want = in_python(path + more, capsys)
        for rows in (1, 2, 3, 7, 8, 9, 24, 41):
            monkeypatch.setattr(arrow_file, "_BATCH_ROWS", rows)
            assert everything(path + more, capsys) == want
        monkeypatch.setattr(arrow_file, "_BATCH_BYTES", 900)
        assert everything(path + more, capsys) == want
        monkeypatch.undo()
        monkeypatch.setattr(side_by_side, "cores", lambda: cores)


def test_columns_of_many_numbers_are_surveyed_as_in_python(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(survey, "MOST_VALUES", 20)
    monkeypatch.setattr(survey, "SAMPLE", 30)
    monkeypatch.setattr(arrow_file, "_BATCH_ROWS", 50)
    monkeypatch.setattr("onebit.streams.reading.tabular.BLOCK", 25)
    path = put(pa.table(columns()), tmp_path / "a.parquet")
    assert everything(path, capsys) == in_python(path, capsys)


def test_numbers_do_not_become_text(tmp_path, monkeypatch):
    """The comparisons would hold as well if Python wrote everything."""
    from onebit.streams.reading import arrow_tables

    written = []
    write = arrow_tables._write
    monkeypatch.setattr(
        arrow_tables, "_write", lambda texts: written.extend(t := [*texts]) or write(t)
    )
    draw = random.Random(2)
    table = pa.table({"a": [draw.gauss(0, 1) for _ in range(100)], "y": ["p", "q"] * 50})
    splitter = arrow_tables.ArrowSplitter(1, [False, True])
    (batch,) = table.to_batches()
    records = splitter.split(batch)
    assert records.numbers[0].tolist() == table.column("a").to_pylist()
    assert written == []
