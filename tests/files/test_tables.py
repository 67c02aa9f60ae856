"""Tables: columns, categories and the label among them."""

import mmh3
from files.reading import read, refusal

from onebit.kernel.sizes import NUMERIC, Column
from onebit.streams.opening import resolve


def test_columns_of_a_table(put):
    text = 'n,c,label,k\n1.5,red,a,10\n,"b,\nlue",b,9\n-2,,a,10\n'
    stream, rows, labels = read(put("a.csv", text) + ":label=label,categories=k")
    assert labels == ["a", "b", "a"]
    assert stream.columns == (Column(0, 1, NUMERIC), Column(2, 3, 3), Column(5, 2, 2))
    # n, whether it is missing (then the median is in its place), then c: "b,\nlue", red and
    # missing, then k: 9 and 10
    assert rows.tolist() == [
        [1.5, 0, 0, 1, 0, 0, 1],
        [-0.25, 1, 1, 0, 0, 1, 0],
        [-2, 0, 0, 0, 1, 0, 1],
    ]


def test_zeros_and_ones_are_no_column_of_numbers(put):
    path = put("a.csv", "a,b,y\n1,1,1\n0,0,2\n1.0,1,1\n0,2,2\n")
    assert read(path)[0].columns == (Column(1, 1, NUMERIC),)


def test_values_may_be_numbered_as_they_are_seen(put):
    path = put("a.csv", "c,y\nz,1\na,2\n")
    assert read(path)[1].tolist() == [[0, 1], [1, 0]]
    assert read(f"{path}:values=seen")[1].tolist() == [[1, 0], [0, 1]]


def test_values_may_be_given_column_by_column(put):
    path = put("a.csv", "c,d,n,y\nz,z,1,1\na,a,2,2\nb,b,2,1\n")
    stream, rows, _ = read(f"{path}:values=c/z/b|3/2/3/1|all/b")
    # c: z, b, a; d: b, a, z; n is categorical now, and 3 never occurs
    assert rows.tolist() == [
        [1, 0, 0, 0, 0, 1, 0, 0, 1],
        [0, 0, 1, 0, 1, 0, 1, 0, 0],
        [0, 1, 0, 1, 0, 0, 1, 0, 0],
    ]
    assert stream.columns == (Column(0, 3, 3), Column(3, 3, 3), Column(6, 3, 3))
    spec, _ = resolve(f"{path}:values=c/z/b|all/b")
    assert spec.params["values"] == ("c/z/b", "all/b")
    assert ",values=c/z/b|all/b," in str(spec)
    assert "1 to 4, got e." in refusal(f"{path}:values=e/1")
    for wrong in ("c", "c/", "/a", "c/a/a", "c/a//b"):
        assert "values must be sorted, seen, or column/value" in refusal(f"{path}:values={wrong}")


def test_the_label_column(put):
    path = put("a.csv", "y,x\na,1\nb,2\n")
    for label in ("y", "first"):
        assert read(f"{path}:label={label}")[2] == ["a", "b"]
    assert read(f"{path}:label=1,header=yes")[2] == ["a", "b"]
    assert read(f"{path}:label=1")[2] == ["a", "b"]
    assert read(f"{path}:label=1,header=no")[2] == ["y", "a", "b"]
    headless = put("b.csv", "a,1\nb,2\n")  # a number among the names: there are none
    assert read(f"{headless}:label=1")[2] == ["a", "b"]
    assert "a column must be one of y, x or 1 to 2, got z" in refusal(f"{path}:label=z")
    assert "got 3" in refusal(f"{path}:label=3")


def test_data_files_have_no_header(put):
    _stream, rows, labels = read(put("a.data", "x,1\ny,2\n"))
    assert labels == [1, 2]
    assert rows.tolist() == [[1, 0], [0, 1]]


def test_records_of_another_width_are_malformed(put):
    path = put("a.csv", "x,y\n1,a\n\n2\n3,b\n4,b,c\n")
    assert "line 4 must have 2 fields, got 1" in refusal(path)
    assert len(read(f"{path}:bad=skip")[1]) == 2


def test_a_field_that_is_too_long_is_a_malformed_line(put):
    path = put("a.csv", f"x,y\n1,a\n{'1' * 140_000},b\n2,b\n")
    assert "line 3 must have fields of at most 131,072 characters" in refusal(path)
    assert read(f"{path}:bad=skip")[2] == ["a", "b"]


def test_numbers_that_are_none(put):
    path = put("a.csv", "x,y\n1,a\ninf,b\n2,b\n")
    assert "line 3 must have a number of size at most 1e+100 in column x, got inf" in refusal(path)
    path = put("d.csv", "x,y\n1,a\n1e200,b\n2,b\n")
    assert "line 3 must have a number of size at most 1e+100 in column x, got 1e200" in refusal(
        path
    )
    path = put("c.csv", "x,y\n1,a\nnan,b\n2,b\n")
    assert read(path)[1].tolist() == [[1, 0], [1.5, 1], [2, 0]]
    path = put("b.csv", "x,y\n1,a\nfoo,b\n2,b\n")
    assert read(path)[0].columns == (Column(0, 3, 3),)
    assert "line 3 must have a number of size at most 1e+100 in column x, got foo" in refusal(
        f"{path}:numbers=x"
    )


def test_a_column_of_many_values_is_hashed(put, monkeypatch):
    monkeypatch.setattr("onebit.streams.tables.survey.MOST_VALUES", 3)
    path = put("a.csv", "n,c,y\n" + "".join(f"{n},v{n},{n % 2}\n" for n in range(9)))
    stream, rows, _ = read(f"{path}:hashed=64")
    assert (stream.features, stream.columns) == (1 + 64, (Column(0, 1, NUMERIC),))
    for n, row in enumerate(rows):
        assert row[0] == n
        assert row[1 + mmh3.hash(f"c=v{n}", signed=False) % 64] == 1
