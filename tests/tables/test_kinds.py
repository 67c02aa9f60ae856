"""What columns are taken for, how numbers and dates are read, and what is asked."""

from collections import Counter

import pytest
from files.reading import read, refusal
from hypothesis import given
from hypothesis import strategies as st

from onebit.kernel.sizes import NUMERIC, Column
from onebit.streams.reading import bad_lines
from onebit.streams.reading.dialect import find_delimiter, find_header
from onebit.streams.tables import building
from onebit.streams.tables.building import Wishes, build_encoder
from onebit.streams.tables.dates import orders_of, read_date
from onebit.streams.tables.fields import (
    COMMA,
    PLAIN,
    THOUSANDS,
    plain_number,
    plain_numbers,
    read_number,
    readings,
    text_of,
)
from onebit.streams.tables.kinds import kind_of
from onebit.streams.tables.plain import from_plain, to_plain
from onebit.streams.tables.survey import ColumnSurvey


@pytest.fixture(autouse=True)
def _nothing_told():
    bad_lines._notified.clear()


@pytest.fixture
def put(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def surveyed(fields):
    survey = ColumnSurvey()
    survey.add(list(map(str, fields)))
    return survey


WORDS = ["red", "green", "blue", "amber", "black", "white"]
COLUMNS = {
    "number": [
        [1.5, 2, 3], ["NA", *(n * 7919 % 1500 for n in range(3000))], ["1,234.50", "12", "?"],
        ["12%", "7.5%", "-"], ["$3.20", "$1,000", ""], ["12,5", "3", "1.234,5"], ["€ 3", "€ 4.5"],
        [*(n * n for n in range(200)), 4, 9, 16], [*range(200), *range(200)],
        ["unknown", *(n / 7 for n in range(100))], ["1 234", "12", "3 456 789"],
    ],
    "category": [
        ["a", "b", "a"], ["01234", "04711", "01234"], ["12%", "3"], ["$3", "€4"],
        ["New York", "Rome", "New York"] * 20, ["x"] * 9 + [""], ["low", "2", "3"],
        ["New South Wales", "British Columbia"] * 50,
    ],
    "yes/no": [["yes", "No", "yes"], ["true", "false"], [0, 1, 0], ["1.0", "0", "1"], [*"tf", ""]],
    "text": [
        [f"the {WORDS[n % 6]} thing number {n} broke" for n in range(30)],
        ["it does not work", "where is my parcel now", "thanks for the help"],
        [f"please {WORDS[n % 6]} help me {WORDS[n % 5]} {n % 7}" for n in range(300)],
    ],
    "date": [
        ["2024-01-03", "2024-02-03", ""], ["2024-01-03T10:00:00Z", "2024-01-03 11:30:00+01:00"],
        ["13.01.2024", "02.01.2024"], ["13/01/2024", "2/1/2024 10:00"], ["01/13/2024", "1/2/2024"],
        ["10:30", "23:59:59"], ["2024/01/31", "2024/02/01"],
    ],
    "id": [
        range(1000, 1200), [200 - n for n in range(200)],
        [f"T-{n * 37 % 1000:05}" for n in range(200)],
        [n * 7919 % 10**6 + 10**6 for n in range(300)],
        [f"user{n}@example.org" for n in range(150)],
    ],
    "constant": [[5, 5, 5], ["", "", "NA"], ["x"] * 9],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "fields"), [(k, c) for k, cs in COLUMNS.items() for c in cs])
def test_what_a_column_is(kind, fields):
    assert kind_of("x", surveyed(fields)) == kind


def test_measured_whole_numbers_are_no_ids_and_names_may_say_so():
    amounts = [(n * 7919) % 40_009 for n in range(180)] + [500, 500, 700]
    assert kind_of("amount", surveyed(amounts)) == "number"
    assert kind_of("customer_id", surveyed(amounts[:180])) == "id"


@pytest.mark.parametrize(
    ("field", "style", "number"),
    [
        ("1,234.5", THOUSANDS, 1234.5), ("1.234,5", COMMA, 1234.5), ("-3,5", COMMA, -3.5),
        ("1.234", COMMA, 1234.0), ("1.234", PLAIN, 1.234), ("€ 1,000", THOUSANDS, 1000.0),
        ("12.5 %", PLAIN, 12.5), ("1 234,5", COMMA, 1234.5), ("1'234.5", THOUSANDS, 1234.5),
        ("-$3.20", PLAIN, -3.2), ("1e3", PLAIN, 1000.0),
    ],
)  # fmt: skip
def test_how_numbers_are_read(field, style, number):
    assert style in readings(field).styles
    assert read_number(field, style) == number


@pytest.mark.parametrize(
    "field",
    ["", "1,2,3", "1,23.4", "$3€", "12-3", "1..2", "abc", "1,,2", "0.9\x1d", "\x0c1", "1_000",
     "\uff11",
     "$5\x1d", "9" * 100_000 + "x"],
)  # fmt: skip
def test_what_is_no_number(field):
    assert readings(field).styles == frozenset()
    assert plain_number(field) is None
    assert plain_numbers(["1", field]) is None


def test_numbers_of_a_column_are_read_alike_at_once_and_one_by_one():
    fields = [" 1.5", "+2", "-3e-2 ", ".5", "7."]
    assert plain_numbers(fields).tolist() == [plain_number(field) for field in fields]
    encoder = build_encoder("a", ["n"], None, [surveyed([1.5, 2, 3])], Wishes())
    for column in (["1_000"], ["0.9\x1d"]):
        counts = Counter()
        rows, _ = encoder.encode([column], counts)
        assert rows.values.tolist() == [0.0]  # in place of what is missing
        assert counts == {("no number", "n"): 1}


def test_texts_that_are_not_unicode_are_hashed(put):
    rows = "".join(
        f'{{"\\ud800":"some words of number {n}", "n": {n / 7}, "y": "{"ab"[n % 2]}"}}\n'
        for n in range(40)
    )
    assert len(read(put("a.jsonl", rows))[1]) == 40


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_any_number_is_read_from_its_text(value):
    assert read_number(text_of(value), PLAIN) == value


def test_dates_are_read_in_their_order():
    assert orders_of("03/04/2024") == {"day-first", "month-first"}
    assert orders_of("03.04.2024") == {"day-first"}
    assert orders_of("2024-13-01") == frozenset()
    assert read_date("03/04/24 10:30", "month-first").isoformat() == "2024-03-04T10:30:00"
    assert read_date("31/04/2024", "day-first") is None


def rows_of(columns):
    names = list(columns)
    lines = [",".join(names)] + [
        ",".join(map(str, row)) for row in zip(*columns.values(), strict=True)
    ]
    return "\n".join(lines) + "\n"


def test_ambiguous_dates_are_asked_for(put):
    path = put("a.csv", rows_of({"when": ["03/04/2024", "05/06/2024"], "y": "ab"}))
    sentence = refusal(path)
    assert (
        "column when has dates such as 03/04/2024; is the first number the day or the month?"
        in (sentence)
    )
    assert "Give kinds=when/day-first or kinds=when/month-first." in sentence
    assert read(f"{path}:kinds=when/month-first")[0].features == 5


def test_ambiguous_decimals_are_asked_for(put):
    path = put("a.csv", "price;y\n1,234;a\n5,678;b\n")
    assert "such as 1,234; is that a decimal comma? Give decimal=comma, or" in refusal(path)
    assert read(f"{path}:decimal=comma")[1].tolist() == [[1.234], [5.678]]
    assert read(f"{path}:decimal=point")[1].tolist() == [[1234], [5678]]
    sure = put("b.csv", "price;n;y\n1,234;0,5;a\n5,678;12,25;b\n")
    assert read(sure)[1].tolist() == [[1.234, 0.5], [5.678, 12.25]]


@pytest.mark.parametrize(
    ("lines", "mark"),
    [
        (["a,b", "1,2"], ","), (["a;b", "1,5;2,5"], ";"), (["a\tb,c", "1\t2"], "\t"),
        (["a|b|c", "x y|2,5|3"], "|"), (["a", "b"], ","), (['a,b', '"x;y",2', '"z;w",3'], ","),
        (["1,5;2,5;x", "2,5;3,5;y"], ";"),
    ],
)  # fmt: skip
def test_what_is_between_fields(lines, mark):
    assert find_delimiter("x", lines) == mark


def test_ambiguous_delimiters_are_asked_for(put):
    path = put("a.csv", "a,b;c\nx,y;z\nu,v;w\n")
    assert "which one is between fields? Give delimiter=comma or delimiter=semicolon." in (
        refusal(path)
    )
    assert read(f"{path}:delimiter=semicolon")[0].labels == ["w", "z"]


@pytest.mark.parametrize(
    ("records", "names"),
    [
        (["size,colour", "1,red", "2,red"], True), (["1,red", "2,red", "3,blue"], False),
        (["b,x,win", "b,b,win", "b,x,loss"], False), (["colour,kind", "red,a", "blue,b"], True),
        (["v,kind", *["red,a", "blue,b"] * 4], True),
    ],
)  # fmt: skip
def test_whether_the_first_line_is_names(records, names):
    assert find_header("x", [record.split(",") for record in records]) is names


def test_an_ambiguous_first_line_is_asked_for(put):
    sentence = refusal(put("b.csv", "5,x,y\n3,1,u\n4,2,v\n"))
    assert "is its first line the names of columns? Give header=yes or no." in sentence


def test_what_is_found_is_told(put, capsys):
    text = "id;city;price;y\n" + "".join(
        f"{100 + n};{'Köln' if n % 3 else 'Rom'};{n},5;{'ab'[n % 2]}\n" for n in range(150)
    )
    read(put("a.csv", text.encode("latin-1")))
    told = capsys.readouterr().err
    assert "a.csv: read as Latin-1, since it is not UTF-8" in told
    assert "a.csv: semicolons between fields" in told
    assert [line.split() for line in told.splitlines()[-4:]] == [
        ["id", "id", "left", "out"], ["city", "category"], ["price", "number", "decimal", "comma"],
        ["y", "label"],
    ]  # fmt: skip


def test_labels_that_are_alike_are_pointed_out_and_too_many_are_refused(put, capsys):
    read(put("a.csv", "x,y\n1,Tea\n2,tea\n3,cof fee\n4,coffee\n"))
    told = capsys.readouterr().err
    assert "the labels 'Tea', 'tea' differ in case or blanks only" in told
    assert "the labels 'cof fee', 'coffee' differ" in told
    rows = "".join(f"{'ab'[n % 2]},{n % 2},{n}\n" for n in range(100))
    sentence = refusal(put("b.csv", "kind,paid,amount\n" + rows))
    assert (
        "column amount has 100 labels in 100 rows, more than a tenth of them; is it the label?"
        in (sentence)
    )
    assert "Name the label's column with --label-column COLUMN, such as kind, paid, or" in sentence


def test_columns_can_be_overruled(put):
    path = put(
        "a.csv", "n,t,k,y\n" + "".join(f"{n},it is {n},{n % 3},a\n{n},no,1,b\n" for n in (1, 2))
    )
    stream = read(f"{path}:kinds=n/category|t/drop|3/number")[0]
    assert stream.columns == (Column(0, 2, 2), Column(2, 1, NUMERIC))
    assert read(f"{path}:kinds=t/text,hashed=64")[0].features == 2 + 64
    assert "kinds must be auto or column/kind with | between columns, a kind being one of" in (
        refusal(f"{path}:kinds=n/int")
    )
    assert "a column must be one of n, t, k, y or 1 to 4, got z" in refusal(f"{path}:kinds=z/drop")
    assert "column t must have dates, got it is 1." in refusal(f"{path}:kinds=t/date")


def test_other_texts_among_numbers_are_gaps(put):
    fields = [*range(1, 60), "unknown", *range(60, 99)]
    text = "x,y\n" + "".join(f"{f},{'ab'[n % 2]}\n" for n, f in enumerate(fields))
    stream, rows, _ = read(put("a.csv", text))
    assert stream.features == 2
    assert rows[59].tolist() == [49.5, 1.0]


def test_numbers_of_few_values_also_have_a_feature_for_each(put, capsys, monkeypatch):
    monkeypatch.setattr(building, "_ROWS", 10)
    fields = [*"123" * 20, "NA", "-4.5"]
    text = "x,y\n" + "".join(f"{f},{'ab'[n % 2]}\n" for n, f in enumerate(fields))
    stream, rows, _ = read(put("a.csv", text))
    assert "number    and each of 4 values, with gaps" in capsys.readouterr().err
    assert stream.columns == (Column(0, 1, NUMERIC), Column(1, 5, 5))
    assert rows[:2].tolist() == [[1, 0, 1, 0, 0, 0], [2, 0, 0, 1, 0, 0]]
    assert rows[60:].tolist() == [[2, 0, 0, 0, 0, 1], [-4.5, 1, 0, 0, 0, 0]]
    assert read(f"{put('a.csv', text)}:kinds=x/number")[0].features == 2
    encoder = from_plain(to_plain(stream.encoder))
    for field, expected in (("3", {0: 3.0, 4: 1.0}), ("3.0", {0: 3.0, 4: 1.0}), ("7", {0: 7.0})):
        row = encoder.row({"x": field}, Counter(), str)
        assert dict(zip(row.indices.tolist(), row.values.tolist(), strict=True)) == expected
    for damage in ({"values": ("1", "2", "nan", "-4.5")}, {"fill": 10**400}, {"span": -(10**400)}):
        bad = to_plain(stream.encoder)
        bad["columns"][0] |= damage
        with pytest.raises(ValueError, match="not an encoder"):
            from_plain(bad)


@pytest.mark.parametrize("unit", [1, 10_000])
def test_zeros_that_are_common_have_a_feature_too(put, unit):
    for ones, features in ((5, 1), (50, 2), (95, 1)):
        text = "x,y\n" + "".join(f"{unit * (n < ones)}.0,{'ab'[n % 2]}\n" for n in range(100))
        stream, rows, _ = read(put("a.csv", text))
        assert stream.features == features
        assert rows[0].tolist() == ([unit] if features == 1 else [0.0, 1.0])


@pytest.mark.parametrize("unit", [1, 0.1, 10_000])
def test_few_numbers_with_gaps_are_codes_in_any_unit(put, unit):
    fields = [*(str(unit * n) for n in (0, 1, 2, 5) * 6), "?"]
    text = "x,y\n" + "".join(f"{f},{'ab'[n % 2]}\n" for n, f in enumerate(fields))
    stream, rows, _ = read(put("a.csv", text))
    assert stream.columns == (Column(0, 5, 5),)
    assert rows[:, 3].tolist() == [0.0, 0.0, 0.0, 1.0] * 6 + [0.0]
