"""Files that once gave a traceback, the wrong sentence, or rows of two kinds without a word."""

import pytest
from files.reading import play, read, refusal

from onebit.streams.reading.table_header import unique_names


def test_blanks_of_all_kinds_around_numbers(put):
    """str.strip() takes \\x1d for a blank, float() does not."""
    for blank in map(chr, [*range(1, 9), *range(14, 32), 0x85, 0x200B, 0x2028, 0x3000, 0xFEFF]):
        path = put("c.csv", f"a,y\n{blank}1,p\n2{blank},q\n3,p\n4,q\n".encode())
        for more in ("", ":numbers=a,bad=skip", ":labels=p|q"):
            read(f"{path}{more}")


def text_column(values, kind):
    """Return a column of bytes that says it is text."""
    import pyarrow as pa

    made = pa.array(values, pa.binary()).cast(
        pa.large_binary() if "large" in str(kind) else "binary"
    )
    return pa.Array.from_buffers(kind, len(made), made.buffers())


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
@pytest.mark.parametrize("large", [False, True])
def test_text_in_parquet_that_is_not_utf8_is_a_malformed_row(tmp_path, ending, large):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.feather
    import pyarrow.parquet

    kind = pa.large_string() if large else pa.string()
    table = pa.table({
        "s": text_column([b"ab", b"\xff\xfe", b"c\0d", None], kind), "n": [1.0, 2.0, 3.0, 4.0],
        "y": ["p", "q", "p", "q"],
    })  # fmt: skip
    path = tmp_path / f"a.{ending}"
    if ending == "parquet":
        pyarrow.parquet.write_table(table, path)
    else:
        pyarrow.feather.write_feather(table, str(path), compression="uncompressed")
    assert "row 2 must be UTF-8 text without NUL bytes, got \\xff\\xfe" in refusal(str(path))
    _, rows, labels = read(f"{path}:bad=skip")
    assert labels == ["p", "q"]
    assert rows[:, -1].tolist() == [1, 4]


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.svm", "a.vw", "a.jsonl", "a.txt"])
@pytest.mark.parametrize("end", ["\r", ""])
def test_line_ends_of_carriage_returns_alone_get_their_sentence(put, name, end):
    path = put(name, "a,b,y\r1,2,p\r3,4,q" + end)
    assert "must have lines that end with a newline, got carriage returns alone" in refusal(path)


def test_carriage_returns_inside_of_lines(put):
    path = put("a.csv", 'a,y\n1,p\n2\r3,q\n"4\r",p\n5,q\r\n')
    assert "line 3 must have a carriage return only before its newline" in refusal(path)
    assert read(f"{path}:bad=skip")[2] == ["p", "p", "q"]


@pytest.mark.parametrize("features", ["", ":features=300"])
def test_lists_and_objects_are_not_mixed_in_one_file(put, features):
    objects = '{"x": {"a": 1}, "y": "p"}\n{"x": [1, 2, 3], "y": "q"}\n{"x": {"b": 1}, "y": "q"}\n'
    path = put("a.jsonl", objects) + features
    assert 'line 2 must have an object "x" for its row, as the rows before it' in refusal(path)
    path = f"{path}{',' if features else ':'}bad=skip"
    assert play(path).rounds == 2
    lists = '{"x": [1, 2], "y": "p"}\n{"x": {"a": 1}, "y": "q"}\n'
    assert 'must have a list "x" for its row, as the rows before it' in refusal(
        put("b.jsonl", lists)
    )


def test_names_are_not_hashed_into_a_few_columns(put):
    path = put("a.jsonl", '{"x": {"a": 1}, "y": "p"}\n{"x": {"b": 2}, "y": "q"}\n')
    assert "which must be at least 64, got 8" in refusal(f"{path}:features=8")


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_table_without_columns_is_refused(tmp_path, ending):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.feather
    import pyarrow.parquet

    path = str(tmp_path / f"a.{ending}")
    write = pyarrow.parquet.write_table if ending == "parquet" else pyarrow.feather.write_feather
    write(pa.table({}), path)
    assert "a table must have a column for the label, got none" in refusal(path)


def test_names_of_columns_are_made_different():
    assert unique_names(["a", "a.3", "a", "", "a"]) == ["a", "a.3", "a.3.3", "4", "a.5"]
