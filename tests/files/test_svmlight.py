"""Lines of svmlight: every case has the answer that docs/files.md gives."""

import pytest
from files.reading import read, refusal

from onebit.kernel.features import LARGEST
from onebit.kernel.sizes import Column
from onebit.streams.opening import open_stream


def test_svmlight_lines(put):
    path = put(
        "a.svm",
        "# a comment\r\n+1 qid:3 1:2 2:.5 # more\r\n\r\n  -1\t3:1e2  \n1.0 # no features\n2.5 2:-0",
    )
    stream, rows, labels = read(path)
    assert list(stream.labels) == [-1.0, 1.0, 2.5]
    assert labels == [1, -1, 1, 2.5]
    assert rows.tolist() == [[2, 0.5, 0], [0, 0, 100], [0, 0, 0], [0, 0, 0]]


def test_indices_in_any_order_are_sorted_and_those_named_twice_are_added(put):
    _, rows, _ = read(put("a.svm", "1 3:1 1:2 3:4\n2 2:1 2:-1\n"))
    assert rows.tolist() == [[2, 0, 5], [0, 0, 0]]


def test_a_long_row_in_any_order_is_sorted(put):
    order = [(n * 7919) % 1000 for n in range(1000)]
    text = " ".join(f"{j + 1}:{j + 1}" for j in order)
    _, rows, _ = read(put("a.svm", f"1 {text}\n2 1:1\n"))
    assert rows[0].tolist() == list(range(1, 1001))


def test_an_index_0_makes_a_file_start_at_0(put):
    stream, rows, _ = read(put("zero.svm", "1 0:5 2:1\n2 1:1\n"))
    assert (stream.features, rows[0].tolist()) == (3, [5, 0, 1])
    stream, rows, _ = read(put("one.svm", "1 1:5 3:1\n2 2:1\n"))
    assert (stream.features, rows[0].tolist()) == (3, [5, 0, 1])
    stream, rows, _ = read(put("said.svm", "1 1:5\n2 2:1\n") + ":base=0")
    assert (stream.features, rows[0].tolist()) == (3, [0, 5, 0])
    sentence = refusal(put("not.svm", "1 1:5\n2 0:1\n") + ":base=1")
    assert "line 2 must have indices from 1 on" in sentence


def test_widths_may_be_given(put):
    path = put("a.svm", "1 1:5\n2 2:1\n")
    assert open_stream(f"{path}:features=10", 0).features == 10
    assert "line 2 must have indices from 1 to 1" in refusal(f"{path}:features=1,base=1")


@pytest.mark.parametrize(
    ("line", "got"),
    [
        ("1 2:x", "2:x"),
        ("1 2", "2"),
        ("1 a:1", "a:1"),
        ("1 :1", ":1"),
        ("1 2:", "2:"),
        ("1 2:1e", "2:1e"),
        ("1 2:nan", "2:nan"),
        ("1 2:inf", "2:inf"),
        ("1 2:1 3:0x1", "3:0x1"),
        ("1 2: 1", "2:"),
        ("1 99999999999:1", "99999999999:1"),
        ("1 -2:1", "-2:1"),
        ("2:1 3:1", "2:1"),
        ("1,,2 3:1", "1,,2"),
        (f"1 2:{LARGEST * 10!r}", "larger"),
        (f"1 2:1{'0' * 100}1", "larger"),
        ("1 2:1\0", "2:1"),
        ("\0 2:1", "\\0"),
    ],
)
def test_a_malformed_line_of_svmlight_is_one_sentence(put, line, got):
    path = put("a.svm", f"1 1:1\n# comment\n\n2 1:1\n{line}\n1 1:1\n")
    sentence = refusal(path)
    assert "line 5 must " in sentence
    assert got in sentence
    _stream, rows, labels = read(f"{path}:bad=skip")
    assert (len(rows), labels) == (3, [1, 2, 1])


def test_features_may_be_columns(put):
    path = put("a.svm", "1 1:1 5:1\n2 3:1 7:1\n")
    assert read(path)[0].columns == ()
    assert read(f"{path}:columns=3/4")[0].columns == (Column(0, 3, 4), Column(3, 3, 4))
    for wrong in ("3", "3/5", "0/1", "a/b", "3/4/5", "auto"):
        assert "columns must be none, or WIDTH/VALUES" in refusal(f"{path}:columns={wrong}")


def test_an_index_beyond_the_features_is_found_in_the_first_pass(put):
    path = put("a.svm", "1 1:1\n2 3:1\n2 2:1\n")
    assert "line 2 must have indices from 1 to 2 (" in refusal(f"{path}:features=2,base=1")
    stream, rows, _ = read(f"{path}:features=2,base=1,bad=skip")
    assert stream.length == len(rows) == 2
