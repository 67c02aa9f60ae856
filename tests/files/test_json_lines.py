"""JSON lines are read by compiled code as by Python: rows, labels, sentences and line numbers."""

import itertools
import json
import random

import pytest
from pace import some

from onebit import BadInput
from onebit.streams.file import resolve_file, with_options
from onebit.streams.opening import open_stream
from onebit.streams.reading import bad_lines as bad
from onebit.streams.reading import json_objects, row_batcher, side_by_side
from onebit.streams.reading import source as source_file
from onebit.streams.reading.json_objects import Lot

NUMBERS = [
    "1", "-1", "0", "-0", "0.5", "-0.0", "1.50", "1e3", "1E-3", "2.5e+2", "12345678901234567",
    "0.1234567890123456", "123456789012345678901", "1e90", "1.1e90", "1e101", "-1e400", "1e-400",
    "01", "1.", ".5", "+1", "-", "1e", "1e+", "0x1", "1_000", "NaN", "Infinity", "-Infinity",
    "0.00001234567890123456789", "-0.000000000000000000000", "0.0000000012345678901234567",
    "9007199254740993", "9007199254740992.5", "5e-324", "1.7976931348623157e308", "null",
    "true", "false", "tru", "falsey", "nul", '"text"', '"täxt"', '""', '"a\\u0062"', '"\t"', "[]",
    "{}", "[1]", '{"a": 1}', '"\x7f"', '"a=b"', "1 2", "1,", "",
]  # fmt: skip
LABELS = [
    '"a"', '"b"', '"ä"', '"1"', "1", "1.0", "-1", "-0", "0.0", "-0.0", "2.50", "2.5", "0.5", "1e2",
    "123456789012345678", "123456789012345.5", "true", "false", "null", '""', '" a "', '"a\\n"',
    '["a", "b"]', '{"a": 2, "b": 1}', "[]", '["a"', '"\x1f"', '"a\\u001fb"', "a", '"a=2"', "10.0",
]  # fmt: skip
LINES = [
    '{"x": {}, "y": "a"}', '{"y": "b", "x": {"u": 1}}', ' {"x":{"u":1 , "v" : 2},"y":1}\t\r',
    '{"x": {"u": 1}, "y": "a", "x": {"v": 2}}', '{"x": {"u": 1}, "y": "a", "y": "b"}',
    '{"x": {"u": 1, "u": 2}, "y": "a"}', '{"x": {"u": 1}, "y": "a", "id": 7, "when": "now"}',
    '{"x": {"u": 1, "u": "red"}, "y": "a"}', '{"x": {"u": "red", "u": 1}, "y": "a"}',
    '{"x": {"u": "red", "v": 2, "u": "blue"}, "y": "a"}', '{"x": {"u": "a", "u=a": 2}, "y": "a"}',
    '{"x": {"u": 1}, "y": "a", "more": [1, 2]}', '{"x": {"u": 1}, "y": "a", "more": null}',
    '{"x": {"u": 1}}', '{"y": "a"}', "{}", "[]", "7", '"x"', "{", '{"x"', '{"x":', '{"x": {',
    '{"x": {"u"', '{"x": {"u": ', '{"x": {"u": 1', '{"x": {"u": 1}', '{"x": {"u": 1}, "y": "a"',
    '{"x": {"u": 1}, "y": "a"}}', '{"x": {"u": 1}, "y": "a"} x', '{"x": {"u": 1}, "y": "a"},',
    '{"x": {"u": 1,}, "y": "a"}', '{"x": {"u": 1}, "y": "a",}', '{"x": {"u" 1}, "y": "a"}',
    '{"x" {"u": 1}, "y": "a"}', '{"\\u0078": {"u": 1}, "y": "a"}',
    '{"x": {"\\u0075": 1}, "y": "a"}',
    '{"x": [1, 2], "y": "a"}', '{"x": 1, "y": "a"}', '{"x": "u", "y": "a"}', '{"X": {}, "y": "a"}',
    "", " ", "\t", "\r", "\x0b", "\x0c", "\x1c", "\u00a0", "\u2028", "\x0b{}", "\x00",
    '{"x": {"\x00": 1}, "y": "a"}', '{"x": {"u\udcff": 1}, "y": "a"}', '{"x": {"ü": 1}, "y": "ä"}',
    '{"x": {"u": 1}, "y": "a"}\x0b', '{"x": {"\u2028": "\u2029"}, "y": "b"}', "\ufeff{}",
    '{"x": {"": 1, "=": 2, "a=b": 3, "a": "b"}, "y": "a"}', '{"x": null, "y": null}', "nul", "tru",
]  # fmt: skip


def unscanned(self, piece):
    """As if every line were unusual."""
    return [Lot(piece, 0, len(piece), 0)], piece.count(b"\n")


def outcome(spec):
    """All rows, labels and line numbers of a file bit for bit, or the sentence of its refusal."""
    bad._notified.clear()
    _, file = resolve_file(spec)
    bad_lines = file.new_bad_lines()
    layout = file.format.layout(True) or file.format.layout(False)
    found = []
    try:
        for batch in file.format.batches(json_objects.Reading(file.source, bad_lines), layout):
            rows, valid, _ = json_objects.normalize_rows(batch.rows)
            assert batch.valid is None or valid.all()
            for i, line in enumerate(batch.lines.tolist()):
                part = slice(rows.starts[i], rows.starts[i + 1])
                label = batch.labels
                label = label[i] if isinstance(label, list) else label.text(i)
                found += [(line, label, rows.indices[part].tolist(), rows.values[part].tobytes())]
    except BadInput as error:
        return str(error)
    return found, bad_lines.count, bad_lines.first


def both(monkeypatch, spec):
    """The outcome by compiled code, which must be that by Python."""
    scanned = outcome(spec)
    with monkeypatch.context() as patch:
        patch.setattr(json_objects.ObjectScanner, "scan", unscanned)
        assert outcome(spec) == scanned
    return scanned


def encoded(text):
    return text.encode(errors="surrogateescape")


def cases():
    yield from LINES
    for number in NUMBERS:
        yield f'{{"x": {{"u": 2, "v": {number}}}, "y": "a"}}'
        yield f'{{"x": {{"v": {number} , "u": 2}}, "y": "a"}}'
        yield f'{{"more": {number}, "x": {{"v": 1}}, "y": "a"}}'
    for label in LABELS:
        yield f'{{"x": {{"v": 1}}, "y": {label}}}'
        yield f'{{"y": {label} , "x": {{"v": 1}}}}'


@pytest.mark.parametrize(
    "spec", ["", ":bad=skip", ":bad=skip,features=100", ":bad=skip,features=9"]
)
def test_every_kind_of_line_is_read_as_python_reads_it(put, monkeypatch, spec):
    good = '{"x": {"u": 1, "w": "z"}, "y": "a"}\n'
    if spec:
        lines = list(cases())
        for n in range(3):
            random.Random(n).shuffle(lines)
            both(monkeypatch, put(f"{n}.jsonl", encoded(good + "\n".join(lines))) + spec)
        return
    for n, line in enumerate(cases()):
        both(monkeypatch, put(f"{n}.jsonl", encoded(f"{good}{line}\n{good}")))
        both(monkeypatch, put(f"{n}.first.jsonl", encoded(f"{line}\n{good}")))
        both(monkeypatch, put(f"{n}.last.jsonl", encoded(f"{good}{line}")))


def test_most_lines_are_scanned(put, monkeypatch):
    """The comparison would hold as well if compiled code read nothing."""
    text = (
        '{"x": {"u": 1, "w": "ü", "v": -2.5e-3}, "y": "a"}\n{"y": 2, "x": {"a": true}, "id": 1}\n'
    )
    scanner = json_objects.ObjectScanner("y", 100)
    (lot,), size = scanner.scan(text.encode() * 50)
    assert (size, len(lot.rows.lines), lot.rows.labels.text(1)) == (100, 100, "2")
    lots, size = scanner.scan((text + '{"x": {"\\u0061": 1}, "y": "a"}\n').encode() * 20)
    assert (size, len(lots)) == (60, 40)
    assert [len(lot.rows.lines) if lot.rows else lot.before for lot in lots[:4]] == [2, 2, 2, 5]
    lots, size = scanner.scan(b'{"x": [1], "y": "a"}\n' * 1000)
    assert (size, len(lots)) == (1000, 51)


@pytest.mark.parametrize("cores", [1, 3])
def test_a_boundary_at_any_byte_changes_nothing(put, monkeypatch, cores):
    monkeypatch.setattr(side_by_side, "cores", lambda: cores)
    lines = [*itertools.islice(cases(), 0, None, 5), '{"x": {"näme": 1.25}, "y": "ä"}\r']
    text = "\ufeff" + '{"x": {"u": 1, "wört": "z"}, "y": "a"}\r\n' + "\n".join(lines)
    path = put("a.jsonl", encoded(text)) + ":bad=skip"
    whole = both(monkeypatch, path)
    assert len(whole[0]) > 10
    for size in range(1, len(encoded(text)), some(1, 13) if cores == 3 else 37):
        monkeypatch.setattr(source_file, "CHUNK", size)
        assert outcome(path) == whole


def test_the_first_row_says_whether_rows_are_objects_or_lists(put, monkeypatch):
    one, other = '{"x": {"u": 1}, "y": "a"}\n', '{"x": [1], "y": "a"}\n'
    for n, lines in enumerate(itertools.product((one, other, "{}\n", "\n"), repeat=4)):
        for more in ("", ":bad=skip", ":bad=skip,features=64"):
            both(monkeypatch, put(f"{n}.jsonl", "".join(lines)) + more)


@pytest.mark.parametrize(("rows", "entries"), [(1, 10**6), (7, 10**6), (10_000, 5), (4, 9)])
def test_a_malformed_line_comes_before_labels_of_its_batch(put, monkeypatch, rows, entries):
    monkeypatch.setattr(json_objects, "BLOCK", rows)
    monkeypatch.setattr(row_batcher, "BLOCK", rows)
    monkeypatch.setattr(row_batcher, "BATCH_ENTRIES", entries)
    random_ = random.Random(rows)
    for n in range(some(60, 15)):
        lines = ['{"x": {"a": 1, "b": 0}, "y": "p"}', '{"x": {"a": 1}, "y": "q"}'] * 10
        lines += ['{"x": {"\\u0061": 1, "c": 2, "d": 3}, "y": "p"}'] * 3
        lines += ['{"x": {}, "y": "unknown"}', "x"] * random_.randrange(3)
        random_.shuffle(lines)
        path = put(f"{n}.jsonl", "\n".join(lines))
        sentences = []
        for scan in (json_objects.ObjectScanner.scan, unscanned):
            with monkeypatch.context() as patch:
                patch.setattr(json_objects.ObjectScanner, "scan", scan)
                try:
                    labels = with_options(path, {"labels": ("p", "q")})
                    sentences += [sum(block.rounds for block in open_stream(labels, 0).blocks())]
                except BadInput as error:
                    sentences += [str(error)]
        assert sentences[0] == sentences[1]


def test_generated_files(put, monkeypatch):
    random_ = random.Random(5)
    for n in range(some(40, 8)):
        names = [random_.choice("abcü=\"\\\n\x7f\u2028😀 ") * random_.randrange(4) + str(k % 30)
                 for k in range(200)]  # fmt: skip
        lines = []
        for _ in range(random_.randrange(1, 60)):
            values = (random_.choice([random_.gauss(0, 1), 0, 3, "text", True, 10**17, 1e-7]),)
            row = {
                random_.choice(names): random_.choice(values) for _ in range(random_.randrange(90))
            }
            item = {"x": row, "y": random_.choice(["a", "b", 1, 2.5, True, ["a", "b"]])}
            lines.append(json.dumps(item, ensure_ascii=random_.random() < 0.3))
        spec = (
            put(f"{n}.jsonl", "\n".join(lines)) + f":features={random_.choice([64, 1000, 2**18])}"
        )
        assert isinstance(both(monkeypatch, spec), tuple)
