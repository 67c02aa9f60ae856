"""Tables of JSON lines are read by compiled code as by Python: columns, rows, sentences, lines."""

import itertools
import json
import random

import numpy as np
import pytest
from files.test_compiled_tables import everything
from files.test_json_lines import LABELS, LINES, NUMBERS, encoded
from pace import some

from onebit.streams.formats import jsonl
from onebit.streams.reading import json_tables, side_by_side, tabular
from onebit.streams.reading import source as source_file
from onebit.streams.reading.json_tables import JsonSplitter
from onebit.streams.tables import survey
from onebit.streams.tables.fields import text_of

#: In plain Python, numpy warns of a square that is not finite; such a row is refused.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")

DECIMALS = [
    "1.0", "-1.0", "10.00", "0.0", "-0.0", "-0", "0.50", "0.1", "0.0001", "0.00010", "0.00001",
    "0.00009999", "123456789012345", "123456789012345.0", "1234567890123456.0", "12345678901234.5",
    "1234567890123.45", "123456789012345.6", "0.12345678901234", "0.123456789012345",
    "0.1234567890123456", "0.10000000000000001", "3.3000000000000003", "9007199254740993.0",
    "9007199254740993", "123456789012345678901234567890", "0.3333333333333333148296162562474",
    "1e3", "1E3", "1e-7", "1.5e300", "1e400", "-1e400", "100000000000000000000.0", "5e-324", "1e22",
]  # fmt: skip
FIRST = '{"a": 1.5, "b": "red", "c": "one two three", "näme": 7, "y": "p"}'
OTHER = '{"a": 2, "b": "blue", "c": "three four", "näme": 8.25, "y": "q"}'


def in_python(spec, capsys):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "is_compiled", lambda reading: False)
        return everything(spec, capsys)


def both(spec, capsys):
    """What compiled code reads, which must be what Python reads."""
    found = everything(spec, capsys)
    assert found == in_python(spec, capsys)
    return found


def lines_of_all_kinds():
    yield from LINES
    for value in (*NUMBERS, *DECIMALS):
        yield f'{{"a": {value}, "b": "red", "näme": 7, "y": "p"}}'
        yield f'{{"y": "q", "b": {value} ,"c": {value}, "more": {value}}}'
    for label in LABELS:
        yield f'{{"a": 3, "b": "red", "y": {label}}}'
    yield '{"a": 1, "a": 2, "y": "p"}'
    yield '{"a": "\\ud800", "b": "\\ud800", "c": "a \\ud800 b", "y": "p"}'
    yield '{"c": "\\ud800", "y": "p"}'
    yield '{"\\u0061": 1, "y": "p"}'


@pytest.mark.parametrize("number", [*NUMBERS, *DECIMALS])
def test_the_text_of_a_number_is_what_python_writes(number):
    line = f'{{"a": {number}, "b": {number} }}\n'.encode()
    asked = []

    def slow(text):
        asked.append(text)
        return "fail", text

    records = JsonSplitter(["a", "b"], [True, False], slow).split(line)
    try:
        value = json.loads(number)
    except ValueError:
        assert asked
        return
    if asked:
        assert isinstance(value, list | dict) or "\\" in number or "N" in number or "I" in number
        return
    one, other = (records.text[a:b].decode() for a, b in records.spans.reshape(2, 2).tolist())
    assert one == text_of(value)
    assert other == one or (float(other) == value and len(number) > 15)


@pytest.mark.parametrize(
    "spec", ["", ":bad=skip", ":bad=skip,kinds=a/text|b/number", ":categories=a"]
)
def test_every_kind_of_line_is_read_as_python_reads_it(put, capsys, spec):
    start = f"{FIRST}\n{OTHER}\n" * 6
    lines = list(lines_of_all_kinds())
    if "skip" in spec:
        for n in range(some(8, 3)):
            random.Random(n).shuffle(lines)
            both(put(f"{n}.jsonl", encoded(start + "\n".join(lines))) + spec, capsys)
        return
    for n, line in enumerate(lines[:: some(1, 9)]):
        both(put(f"{n}.jsonl", encoded(f"{start}{line}\n{start}")) + spec, capsys)
        both(put(f"{n}.last.jsonl", encoded(f"{start}{line}")) + spec, capsys)


@pytest.mark.parametrize("cores", [1, 3])
def test_a_boundary_at_any_byte_changes_nothing(put, capsys, monkeypatch, cores):
    monkeypatch.setattr(side_by_side, "cores", lambda: cores)
    lines = [FIRST, OTHER, *itertools.islice(lines_of_all_kinds(), 0, None, 6), OTHER, FIRST + "\r"]
    text = "\ufeff" + "\n".join(lines)
    path = put("a.jsonl", encoded(text)) + ":bad=skip"
    whole = both(path, capsys)
    assert len(whole[1]) > 10
    for size in range(1, len(encoded(text)), some(7, 97) if cores == 3 else 301):
        monkeypatch.setattr(source_file, "CHUNK", size)
        assert everything(path, capsys) == whole


def test_records_of_few_fields_take_little_memory(put, capsys, monkeypatch):
    wide = json.dumps({f"c{n}": n / 8 for n in range(40)} | {"y": "p"})
    text = f"{wide}\n" + '{"c3": 1.5, "y": "q"}\n{"y": "p"}\n{}\n' * 200
    path = put("a.jsonl", text) + ":bad=skip"
    whole = both(path, capsys)
    seen = []
    split = JsonSplitter.split
    monkeypatch.setattr(
        JsonSplitter, "split", lambda self, piece, last: seen.append(piece) or split(self, piece)
    )
    monkeypatch.setattr(json_tables, "_MOST_FIELDS", 4000)
    assert everything(path, capsys) == whole
    assert max(piece.count(b"\n") for piece in seen) <= 4000 // 41


def test_generated_tables(put, capsys):
    random_ = random.Random(3)
    for n in range(some(40, 10)):
        names = random_.sample(["a", "b c", "näme", "id", "x y", "1", "", 'q"', "date", "t"], 6)
        makers = {
            name: random_.choice([
                lambda: random_.gauss(0, 1), lambda: random_.randrange(5),
                lambda: random_.choice(["red", "blue", "grün", "", "NA"]), lambda: None,
                lambda: random_.choice([True, False]), lambda: round(random_.random(), 2),
                lambda: " ".join(random_.choices(["uno", "dos", "très", "x\\y"], k=4)),
                lambda: f"2024-01-{random_.randrange(1, 29):02}", lambda: random_.randrange(10**17),
                lambda: float(random_.randrange(9)), lambda: 10.0 ** random_.randrange(-9, 25),
            ]) for name in names
        }  # fmt: skip
        lines = []
        for _ in range(random_.randrange(5, some(200, 60))):
            item = {k: make() for k, make in makers.items() if random_.random() < 0.95}
            item["y"] = random_.choice(["p", "q", 1, 2.0])
            lines.append(json.dumps(item, ensure_ascii=random_.random() < 0.2))
        spec = put(f"{n}.jsonl", "\n".join(lines))
        _, rows, error, _ = both(spec, capsys)
        assert error or len(rows) == len(lines)
        both(spec + ":bad=skip,hashed=64", capsys)


def test_columns_of_many_numbers_are_surveyed_as_python_does(put, capsys, monkeypatch):
    monkeypatch.setattr(survey, "MOST_VALUES", 20)
    monkeypatch.setattr(survey, "SAMPLE", 30)
    monkeypatch.setattr(tabular, "_GROUP_FIELDS", 120)
    monkeypatch.setattr(source_file, "CHUNK", 2000)
    random_, given_up = random.Random(4), []
    note = json_tables.JsonTable.note

    def noted(self, surveys):
        note(self, surveys)
        given_up.append((~self.splitter.columns.exact).tolist())

    monkeypatch.setattr(json_tables.JsonTable, "note", noted)
    lines = [
        f'{{"a": {random_.gauss(0, 1)!r}, "b": {random_.random():.17f},'
        f' "c": {n % 3}.0, "y": "{n % 2}"}}'
        for n in range(300)
    ]
    for n, more in enumerate(["", '{"a": "none", "b": null, "y": "1"}']):
        _, rows, error, _ = both(put(f"{n}.jsonl", "\n".join([*lines, more, *lines])), capsys)
        assert not error
        assert len(rows) == 600 + bool(more)
    assert given_up[-1] == [True, True, False, False]


def test_most_lines_are_split_by_compiled_code():
    """The comparisons would hold as well if Python read everything."""

    def slow(text):
        raise AssertionError(text)

    splitter = JsonSplitter(["a", "b", "c", "näme", "y"], [True] * 5, slow)
    records = splitter.split(f"{FIRST}\n\n  {OTHER}\r\n".encode() * 20)
    assert len(records.lines) == 40
    assert np.array_equal(records.lines[:4], [1, 3, 4, 6])
    assert records.size == 60
