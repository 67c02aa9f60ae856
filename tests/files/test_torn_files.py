"""The same rows, sentences and line numbers, at whichever bytes a file is cut into pieces."""

import gzip
import io
import itertools
import sys

import numpy as np
import pytest
from files.test_compiled_tables import everything
from pace import some

from onebit import BadInput
from onebit.streams.file import with_options
from onebit.streams.log import Log
from onebit.streams.reading import bad_lines, label_scan, pieces, side_by_side
from onebit.streams.reading import source as source_file

#: Small files: line ends of both kinds, blank lines, letters of several bytes, quotes, escapes,
#: numbers of all lengths, and malformed lines among the good ones.
FILES = {
    "svmlight": (
        "# ü\r\nrot 1:2 2:.5 # ü\r\n\n  b\t3:1e2  \nb 1:1e109\nrot # none\nb 7:-0 2:0.1234567"
        "89012345678 3:1\nrot x\nb 9:4e-3\n\x01 1:1\nrot 1:1 2:0:1\nb 12:1"
    ),
    "vw": (
        "rot 2 'tag |wörter a:0.25 b |n:0.5 c\r\n\r\nb |n c:.123456789012345678 \t d\nb | a:1"
        "e109\n  b 1 0 | längere:1e-3 x\nrot|n a\nrot |n\nb | a:x\nb"
    ),
    "csv": (
        'n,c,t,y\r\n1.5,red,"a ""b"" c, d",p\r\n-0,"bl\nue",Größe ÜBER Σ,q\n\n 7e2 , red,x,p'
        '\r\n,NA,,q\n1e200,x,y,q\r\r\n"2"5,\' \',ß,p\n3,a\n12345678901234567890.5,re,wo rd,p'
        "\n"
    ),
    "tsv": (
        'n\tc\tt\ty\r\n1.5\tred\ta "b" c\tp\r\n-0\tblue\tGröße ÜBER\tq\n\n 7e2 \t"red\tx\tp\n'
        "\tNA\t\tq\n1e200\tx\ty\tp\n3\ta\n5.5\tx\ty\tq\n8\tre\two rd\tp"
    ),
    "text": (
        "card\tWhen my CARD\r\n\r\n \t \nlost\tÜber Größe, ΣΑΣ «so»\nlost\none\n\tno label\nc"
        "ard\t\nlost\t🙂 x_1 \u0661 \U0001d49cb\nlost\tone\ttwo\ncard\tЖЁЛЫЙ я"
    ),
    "objects": (
        '{"x": {"näme": 1.5, "b": "grün", "c": true}, "y": "p"}\r\n\n{"x": {"a": -2.5e-3, "b"'
        ': "\\u00fc\\n"}, "y": "q"}\n{"y": "q", "x": {"a": 1e200}}\n{"x": {"a": nope}, "y": "'
        'p"}\n{"x": {}, "y": 3, "z": [1]}\n{"x": {"a": 1}}\n{"x": {"a": 1}, "y": "p"}'
    ),
    "table": (
        '{"a": 1.5, "b": "red", "ü": 7, "y": "p"}\r\n\n{"a": 2, "b": "grün", "ü": 1e3, "y": "'
        'q"}\n{"a": null, "b": "x\\u00fc\\n", "y": "p"}\n{"a": 1e200, "y": "q"}\n{"a": 1, "y"'
        ': 2,}\n{"y": "q", "b": "red", "a": -0.125}\n{"b": [1], "y": "p"}\n{"a": 3, "y": "p"}'
    ),
}  # fmt: skip
LOGS = {
    "jsonl": (
        '{"x": {"ä": 1}, "label": "p", "prob": 0.5, "correct": true}\r\n\n{"x": {"b": "gr\\u0'
        '0fcn"}, "label": "q", "prob": 0.25, "correct": false, "truth": "p"}\n{"x": {"a": 1},'
        ' "label": "q", "prob": 2, "correct": 1}\n{"x": 1, "label": "p"}\n{"x": {}, "label": '
        '"p", "prob": 1e-2, "correct": true, "marginal": 0.125}'
    ),
    "vw": (
        "p:0:0.5 |n ä b:2\r\n\nq:1:0.25 p |n c\np |n x\nq:1:2 |n c\nq:1:.5 |n c:x\np:0:0.125 "
        "| d"
    ),
}  # fmt: skip
LABELS = {"svmlight": "b|rot", "vw": "b|rot", "text": "card|lost"}  # of others: p, q
FORMS = {
    "plain": str.encode,
    "mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "stdin": str.encode,
    "gz": lambda text: gzip.compress(text.encode()),
    "zst": lambda text: pytest.importorskip("zstandard").compress(text.encode()),
    "utf-16": lambda text: text.encode("utf-16"),
}


def cuts(monkeypatch, length):
    """Cut a file into pieces of every size, read by one thread and by several."""
    for size in range(1, length + 5, some(1, 29)):
        cores = 1 + 2 * (size % 2)
        monkeypatch.setattr(source_file, "CHUNK", size)
        monkeypatch.setattr(source_file, "_ZSTD_CHUNK", size)
        monkeypatch.setattr(side_by_side, "cores", lambda cores=cores: cores)
        yield size


@pytest.fixture
def reader(put, capsys, monkeypatch):
    """Write a file in a form; return what reads it with options, and tells all that it finds."""

    def writer(name, form):
        kind = "jsonl" if name in ("objects", "table") else name
        content = FORMS[form](FILES[name])
        path = put(f"a.{name}" + (f".{form}" if form in ("gz", "zst") else ""), content)

        def outcome(**options):
            if form == "stdin":
                options["labels"] = tuple(LABELS.get(name, "p|q").split("|"))
                opened = io.BufferedReader(io.BytesIO(content))
                monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(opened))
            spec = with_options("-" if form == "stdin" else path, {"format": kind, **options})
            known, rows, error, said = everything(spec, capsys)
            return (known, error) if error else (known, rows, said)  # before an error: some rows

        return outcome

    return writer


@pytest.mark.filterwarnings("ignore:overflow encountered")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", FILES)
def test_a_boundary_at_any_byte(reader, monkeypatch, name, form):
    if (name, form) == ("table", "stdin"):
        pytest.skip("a row of standard input is an object with an x")
    outcome = reader(name, form)
    refused, read = outcome(), outcome(bad="skip")
    assert " must " in refused[1]
    assert len(read[1]) >= 3
    first = refused[1].partition(": line ")[2]
    if name in ("csv", "tsv", "table"):  # values are checked after the first pass
        first = ""
    assert f"bad lines were skipped; the first: line {first}" in read[2]
    for size in cuts(monkeypatch, 8 if form == "mark" else len(FILES[name].encode())):
        assert outcome() == refused, size
        assert outcome(bad="skip") == read, size


@pytest.mark.parametrize("window", [1, 2, 5])
def test_a_line_may_begin_far_before_a_boundary(reader, monkeypatch, window):
    outcome = reader("vw", "plain")
    read = outcome(bad="skip")
    monkeypatch.setattr(pieces, "_WINDOW", window)
    for size in cuts(monkeypatch, len(FILES["vw"].encode())):
        assert outcome(bad="skip") == read, size


@pytest.mark.parametrize("step", [1, 2, 5, 64])
def test_the_end_of_a_line_is_found_at_any_byte(monkeypatch, step):
    monkeypatch.setattr(label_scan, "_STEP", step)  # it is called as plain Python
    for length in range(some(2 * step + 3, 2 * min(step, 9) + 3)):
        for after in (b"", b"1\n", b"1 1:1\n" * 30):
            text = np.frombuffer(b"x" * length + b"\n" + after, np.uint8)
            assert label_scan.skip_long_line(text, 0) == length + 1


@pytest.mark.parametrize(("name", "pair"), [("svmlight", "{}:1"), ("vw", "| {}")])
def test_labels_are_found_after_lines_of_any_length(put, capsys, name, pair):
    line = f"a {pair.format(1)} # "
    for length in range(some(150, 8)):
        text = f"{line}{'x' * length}\nb {pair.format(2)}\r\n\n  c {pair.format(3)}"
        known, rows, error, _ = everything(put(f"{length}.{name}", text), capsys)
        assert (known[0], len(rows), error) == (["a", "b", "c"], 3, ""), length


def logged(path, capsys):
    """All that a log says, and its error."""
    bad_lines._notified.clear()
    rounds, known, error = [], (), ""
    try:
        log = Log(path, True)
        for each in log.rounds():
            starts, indices, values = each.block.rows
            rounds += zip(
                (indices[a:b].tolist() for a, b in itertools.pairwise(starts)),
                (values[a:b].tobytes() for a, b in itertools.pairwise(starts)),
                each.block.truths.labels.tolist(), each.labels.tolist(), each.probs.tolist(),
                each.correct.tolist(), strict=True,
            )  # fmt: skip
        known = log.labels, log.features, log.used, log.unused
    except BadInput as raised:
        error = str(raised)
    return known, rounds if not error else None, error, capsys.readouterr().err


@pytest.mark.parametrize("form", ["plain", "gz"])
@pytest.mark.parametrize("name", LOGS)
def test_a_boundary_at_any_byte_of_a_log(put, capsys, monkeypatch, name, form):
    path = put(f"a.{name}" + (".gz" if form == "gz" else ""), FORMS[form](LOGS[name]))
    skipping = with_options(path, {"bad": "skip"})
    refused, read = logged(path, capsys), logged(skipping, capsys)
    assert " must " in refused[2]
    assert read[0][2] >= 3
    for size in cuts(monkeypatch, len(LOGS[name].encode())):
        assert logged(path, capsys) == refused, size
        assert logged(skipping, capsys) == read, size
