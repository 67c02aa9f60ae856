"""Files as a whole: empty, huge, compressed, damaged, not there."""

import gzip

import numpy as np
import pytest
from files.reading import play, read, refusal
from pace import some

from onebit.streams.file import with_options
from onebit.streams.opening import open_stream, resolve
from onebit.streams.reading import source as source_file


@pytest.mark.parametrize("name", ["a.svm", "a.vw", "a.csv", "a.tsv", "a.jsonl", "a.txt"])
def test_an_empty_file_is_refused(put, name):
    path = put(name, "")
    assert "must have rows, got none" in refusal(path)
    assert "must have rows, got none" in refusal(f"{path}:labels=a|b")


def test_a_file_of_bad_lines_alone_is_refused(put):
    assert "got none, and 2 bad lines" in refusal(put("a.svm", "x:1\ny:1\n") + ":bad=skip")


def test_a_line_longer_than_a_piece_is_one_row(put, monkeypatch):
    monkeypatch.setattr(source_file, "CHUNK", 100)
    n = 2000
    text = f"1 1:1\n2 {' '.join(f'{j}:{j}' for j in range(1, n))}\n1 2:1\n"
    _, rows, labels = read(put("a.svm", text))
    assert labels == [1, 2, 1]
    assert rows[1].tolist() == list(range(1, n))


def test_a_line_beyond_the_limit_is_refused(put, monkeypatch):
    monkeypatch.setattr(source_file, "CHUNK", 100)
    monkeypatch.setattr(source_file, "LONGEST_LINE", 1000)
    assert "must have lines of at most 1,000 bytes" in refusal(put("a.svm", "1 1:1" + " " * 2000))


def test_a_line_of_fifty_megabytes_is_a_row(put):
    n = some(5_000_000, 5000)
    indices = np.arange(1, n + 1)
    body = b" ".join(np.char.add(indices.astype("S8"), b":1").tolist())
    path = put("a.svm", b"1 1:1\n2 " + body + b"\n")
    stream = open_stream(path, 0)
    assert (stream.features, stream.length) == (n, 2)
    assert sum(len(block.rows.indices) for block in stream.blocks()) == n + 1


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("a.svm", b"a 1:1\nb 1:1\n", b"\xff 1:1\n"),
        ("a.vw", b"a | x\nb | x\n", b"\xff | x\n"),
        ("a.csv", b"x,y\n\xc3\xbc,a\n2,b\n", b"\xff,a\n"),
        ("a.csv", b"x,y\n1,a\n2,b\n", b"\0,a\n"),
        ("a.tsv", b"x\ty\n\xc3\xbc\ta\n2\tb\n", b"1\t\xff\n"),
        ("a.jsonl", b'{"x":{},"y":"a"}\n{"x":{},"y":"b"}\n', b'{"x":{},"y":"\xff"}\n'),
        ("a.txt", b"a\tx\nb\tx\n", b"a\t\xff\xfe\n"),
        ("a.txt", b"a\tx\nb\tx\n", b"a\tx\0\n"),
    ],
)
def test_text_that_is_not_utf8_and_nul_bytes_are_malformed_lines(put, name, good, bad):
    path = put(name, good + bad)
    assert f"line {good.count(10) + 1} must " in refusal(path)
    assert read(f"{path}:bad=skip")[2] == ["a", "b"]


def test_rows_before_a_bad_line_that_is_met_late_are_judged_first(put):
    path = put("a.svm", "1 1:1\n1 1:1e109\n2 x\n2 1:1\n")
    assert "line 2 must have finite values" in refusal(path)


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_compressed_files(put, ending):
    text = ("1 1:1\n2 2:1\n" * 5000).encode()
    if ending == "gz":
        whole = gzip.compress(text[:600]) + gzip.compress(text[600:])
    else:
        zstandard = pytest.importorskip("zstandard")
        whole = zstandard.compress(text[:600]) + zstandard.compress(text[600:])
    assert play(put(f"a.svm.{ending}", whole)).rounds == 10_000
    assert "damaged" in refusal(put(f"b.svm.{ending}", whole[:-9] + b"!" * 5))
    assert f"must be a .{ending} file" in refusal(put(f"c.svm.{ending}", text))


def test_a_byte_order_mark_is_no_part_of_a_label(put):
    assert read(put("a.svm", b"\xef\xbb\xbf1 1:1\n2 1:1\n"))[2] == [1, 2]


def test_files_that_cannot_be_read(put, tmp_path):
    assert "cannot be read: No such file" in refusal(str(tmp_path / "none.csv"))
    (tmp_path / "folder.csv").mkdir()
    assert "is a directory" in refusal(str(tmp_path / "folder.csv"))
    assert "give --format" in refusal(put("a.bin", "x"))
    assert "format must be one of" in refusal(put("a.csv", "x") + ":format=xls")
    assert "no parameter is called 'base'" in refusal(put("a.csv", "x") + ":base=0")


def test_a_path_with_the_characters_of_a_spec_in_it(put):
    path = put("a:b=c,100%.svm", "1 1:1\n2 1:1\n")
    full, _ = resolve(path)
    assert len(read(str(full))[1]) == 2
    assert read(with_options(path, {"labels": ("2", "1")}))[0].labels == [2, 1]


def test_rows_left_out_for_a_malformed_number_are_not_promised(put):
    stream, _, labels = read(put("a.csv", "n,label\n1,a\nx,b\n2,b\n") + ":numbers=n,bad=skip")
    assert (stream.length, len(labels)) == (None, 2)


def test_rows_that_do_not_fit_the_base_that_was_found_are_not_counted(tmp_path):
    """An index 7 fits 7 features as long as no index 0 was seen."""
    path = tmp_path / "a.svm"
    for text, rows in (("3\n1 0:1 7:5\n2 0:1\n", 2), ("3\n1 1:1 7:5\n2 2:1\n", 3)):
        path.write_text(text)
        stream = open_stream(f"{path}:features=7,bad=skip", 0)
        assert stream.length == sum(block.rounds for block in stream.blocks()) == rows
