"""Every case of a file that must have an answer has the one that docs/files.md gives."""

import gzip
import io
import os
import sys
import threading

import mmh3
import numpy as np
import pytest
from files import write

from onebit import Agent, BadInput
from onebit.experiment.trial import Trial, run
from onebit.features import HASHED_WIDTH, LARGEST
from onebit.state import NUMBERS, Column
from onebit.streams import open_stream, resolve
from onebit.streams.files import bad, live
from onebit.streams.files import source as source_file
from onebit.streams.files.ahead import ahead
from onebit.streams.files.file import with_options


class Silent:
    def begin(self, trial, rounds):
        pass

    def go_on(self, trial, rounds, mistakes):
        return True


def play(spec, learner="banditron", **more):
    return run([Trial.parse(spec, learner, **more)], Silent())[0]


def read(spec):
    stream = open_stream(spec, 0)
    return stream, *write.dense(stream)


def refusal(spec):
    """The sentence with which a file is refused."""
    with pytest.raises(BadInput) as error:
        read(spec)
    text = str(error.value)
    assert text.endswith(".")
    assert "\n" not in text
    return text


# what is in a line


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
        ("1,2 3:1", "1,2"),
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


def test_vw_lines(put):
    path = put(
        "a.vw",
        "cat 1 'tag|n a:2 b |m:0.5 a:4 a\ndog 2.5 0.1 'x | plain:3\r\n\ncat 1.0 tag| z:0\ndog |n",
    )
    _stream, rows, labels = read(path)

    def at(name):
        return mmh3.hash(name, signed=False) % HASHED_WIDTH

    assert labels == ["cat", "dog", "cat", "dog"]
    assert rows[0][[at("n^a"), at("n^b"), at("m^a")]].tolist() == [2, 1, 2.5]
    assert rows[1][at("plain")] == 3
    assert [np.count_nonzero(row) for row in rows] == [3, 1, 0, 0]


def test_a_row_of_vw_is_the_row_that_an_agent_makes_of_the_same_names(put):
    stream = open_stream(put("a.vw", "1 | a:2 b\n2 | c\n"), 0)
    block = next(stream.blocks())
    agent = Agent("banditron", labels=[1, 2])
    row = agent._read({"a": 2, "b": 1})
    assert row.indices.tolist() == block.rows.indices[:2].tolist()
    assert row.values.tolist() == block.rows.values[:2].tolist()


@pytest.mark.parametrize(
    ("line", "must"),
    [
        ("1| a", "a tag"),
        ("| a", "start with a label"),
        ("'tag | a", "start with a label"),
        ("1 2 3 4 | a", "at most a weight"),
        ("1 x | a", "at most a weight"),
        ("1 a", "have a bar"),
        ("1 | a:x", "features"),
        ("1 | :1", "features"),
        ("1 | a:1:2", "features"),
        ("1 |n:x a", "features"),
        ("1:0:0.5 | a", "onebit learn"),
        ("1 | a\0b", "features"),
        (f"1 |n:1e60 a:{10.0**60!r}", "finite"),
    ],
)
def test_a_malformed_line_of_vw_is_one_sentence(put, line, must):
    path = put("a.vw", f"1 | a\n2 | b\n{line}\n1 | c\n")
    sentence = refusal(path)
    assert "line 3 must " in sentence
    assert must in sentence
    assert read(f"{path}:bad=skip")[2] == [1, 2, 1]


def test_weights_that_are_not_used_are_told(put, capsys):
    play(put("a.vw", "1 2.0 | a\n2 1 | b\n1 3 | b\n"))
    assert "2 importance weights other than 1 were not used" in capsys.readouterr().err


# labels


def test_labels_are_sorted_as_numbers_if_all_are(put):
    assert list(open_stream(put("a.svm", "10 1:1\n9 1:1\n"), 0).labels) == [9, 10]
    assert list(open_stream(put("b.svm", "10 1:1\n9 1:1\nx 1:1\n"), 0).labels) == ["10", "9", "x"]
    assert list(open_stream(put("c.svm", "1.5 1:1\n-9 1:1\n"), 0).labels) == [-9.0, 1.5]


def test_labels_are_numbered_as_given(put):
    path = put("a.csv", "x,y\n1,b\n2,a\n")
    spec = with_options(path, {"labels": ("b", "a", "never")})
    stream, _, labels = read(spec)
    assert list(stream.labels) == ["b", "a", "never"]
    assert labels == ["b", "a"]


def test_a_label_that_was_not_given_is_a_malformed_line(put):
    path = put("a.csv", "x,y\n1,b\n2,a\n3,c\n")
    sentence = refusal(f"{path}:labels=a|b")
    assert "line 4 must have one of the labels a, b, got c." in sentence
    assert read(f"{path}:labels=a|b,bad=skip")[2] == ["b", "a"]


def test_labels_with_any_letters_pass_through_a_spec(put):
    names = ("a,b", "c=d", "e|f", "50%", "g h", "ü:")
    path = put("a.tsv", "".join(f"{n}\t{name}\n" for n, name in enumerate(names)))
    spec = with_options(path, {"labels": names, "header": "no"})
    full, _ = resolve(spec)
    stream, _, labels = read(str(full))
    assert tuple(stream.labels) == tuple(labels) == names


def test_a_file_of_one_label_needs_the_others(put):
    path = put("a.svm", "1 1:1\n1 2:1\n")
    assert "must have at least 2 labels, got only 1" in refusal(path)
    assert play(f"{path}:labels=1|2").rounds == 2


def test_a_hundred_thousand_labels(put):
    n = 100_000
    text = "".join(f"{k} {k % 7 + 1}:1\n" for k in range(n)) + "99999 1:1\n0 1:1\n"
    stream = open_stream(put("a.svm", text), 0)
    assert list(stream.labels) == list(range(n))
    truths = np.concatenate([block.truths.labels for block in stream.blocks()])
    assert np.array_equal(truths, [*range(n), n - 1, 0])


# whole files


@pytest.mark.parametrize("name", ["a.svm", "a.vw", "a.csv", "a.tsv", "a.jsonl", "a.txt"])
def test_an_empty_file_is_refused(put, name):
    path = put(name, "")
    assert "must have rows, got none" in refusal(path)
    assert "must have rows, got none" in refusal(f"{path}:labels=a|b")


def test_a_file_of_bad_lines_alone_is_refused(put):
    assert "got none, and 2 bad lines" in refusal(put("a.svm", "x:1\ny:1\n") + ":bad=skip")


def test_a_line_longer_than_a_piece_is_one_row(put, monkeypatch):
    monkeypatch.setattr(source_file, "PIECE", 100)
    n = 2000
    text = f"1 1:1\n2 {' '.join(f'{j}:{j}' for j in range(1, n))}\n1 2:1\n"
    _, rows, labels = read(put("a.svm", text))
    assert labels == [1, 2, 1]
    assert rows[1].tolist() == list(range(1, n))


def test_a_line_beyond_the_limit_is_refused(put, monkeypatch):
    monkeypatch.setattr(source_file, "PIECE", 100)
    monkeypatch.setattr(source_file, "LONGEST_LINE", 1000)
    assert "must have lines of at most 1,000 bytes" in refusal(put("a.svm", "1 1:1" + " " * 2000))


def test_a_line_of_fifty_megabytes_is_a_row(put):
    n = 5_000_000
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
        ("a.csv", b"x,y\n1,a\n2,b\n", b"\xff,a\n"),
        ("a.csv", b"x,y\n1,a\n2,b\n", b"\0,a\n"),
        ("a.tsv", b"x\ty\n1\ta\n2\tb\n", b"1\t\xff\n"),
        ("a.jsonl", b'{"x":{},"y":"a"}\n{"x":{},"y":"b"}\n', b'{"x":{},"y":"\xff"}\n'),
        ("a.txt", b"a\tx\nb\tx\n", b"a\t\xff\xfe\n"),
        ("a.txt", b"a\tx\nb\tx\n", b"a\tx\0\n"),
    ],
)
def test_text_that_is_not_utf8_and_nul_bytes_are_malformed_lines(put, name, good, bad):
    path = put(name, good + bad)
    assert f"line {good.count(10) + 1} must " in refusal(path)
    assert read(f"{path}:bad=skip")[2] == ["a", "b"]


def test_bad_lines_are_told_at_the_end(put, capsys):
    result = play(put("a.svm", "1 1:1\nx:1\n2 1:1\n2 y\n") + ":bad=skip")
    assert result.rounds == 2
    told = capsys.readouterr().err
    assert "2 bad lines were skipped; the first: line 2 must start with one label" in told


def test_the_first_pass_is_told_once(put, capsys):
    path = put("a.svm", "1 1:1\n2 1:1\n")
    play(path)
    play(path)
    told = capsys.readouterr().err
    assert told.count("a first pass found 2 rows, 1 features and 2 labels: 1, 2") == 1


def test_rows_before_a_bad_line_that_is_met_late_are_judged_first(put):
    path = put("a.svm", "1 1:1\n1 1:1e109\n2 x\n2 1:1\n")
    assert "line 2 must have finite values" in refusal(path)


def test_rounds_beyond_the_file_are_refused(put):
    path = put("a.svm", "1 1:1\n2 1:1\n")
    with pytest.raises(BadInput, match="at most the stream's 2 rows, got 3; give --with repeat"):
        play(path, rounds=3)
    assert play(path, rounds=1).rounds == 1
    assert play(path, rounds=5, transforms=("repeat:n=3",)).rounds == 5


def test_a_file_of_unknown_length_plays_one_pass(put):
    spec = put("a.vw", "1 | a\n2 | b\n" * 50) + ":labels=1|2"
    stream = open_stream(spec, 0)
    assert (stream.length, stream.ends) == (None, True)
    result = play(spec)
    assert (result.rounds, result.interrupted) == (100, False)
    assert play(spec, transforms=("repeat:n=3",)).rounds == 300
    assert play(spec, transforms=("take:n=7",)).rounds == 7
    assert play(spec, transforms=("take:n=700",)).rounds == 100


def test_files_play_in_file_order_whatever_the_seed(put):
    path = put("a.svm", "".join(f"{n % 3} {n + 1}:1\n" for n in range(50)))
    rows = [write.dense(open_stream(path, seed)) for seed in (0, 1)]
    assert np.array_equal(rows[0][0], rows[1][0])
    assert rows[0][1] == [n % 3 for n in range(50)]


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
    assert "is not a" in refusal(put(f"c.svm.{ending}", text))


def test_a_byte_order_mark_is_no_part_of_a_label(put):
    assert read(put("a.svm", b"\xef\xbb\xbf1 1:1\n2 1:1\n"))[2] == [1, 2]


def test_files_that_cannot_be_read(put, tmp_path):
    assert "cannot be read: No such file" in refusal(str(tmp_path / "none.csv"))
    (tmp_path / "folder.csv").mkdir()
    assert "is a directory" in refusal(str(tmp_path / "folder.csv"))
    assert "give --format" in refusal(put("a.bin", "x"))
    assert "format must be one of" in refusal(put("a.csv", "x") + ":format=xls")
    assert "no parameter is called 'base'" in refusal(put("a.csv", "x") + ":base=0")


def test_a_path_with_the_letters_of_a_spec_in_it(put):
    path = put("a:b=c,100%.svm", "1 1:1\n2 1:1\n")
    full, _ = resolve(path)
    assert len(read(str(full))[1]) == 2
    assert read(with_options(path, {"labels": ("2", "1")}))[0].labels == [2, 1]


# standard input


def stdin(monkeypatch, content):
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(content.encode())))
    )


def test_standard_input_needs_labels(monkeypatch):
    stdin(monkeypatch, "1 1:1\n2 3:1\n")
    assert "give --labels" in refusal("-:format=svmlight")
    result = play("-:format=svmlight,labels=1|2")
    assert (result.rounds, result.features) == (2, HASHED_WIDTH)
    assert "only once" in refusal("-:format=svmlight,labels=1|2")


def test_standard_input_needs_a_format(monkeypatch):
    stdin(monkeypatch, "")
    assert "standard input does not say its format" in refusal("-:labels=1|2")


def test_columns_of_standard_input_are_hashed_as_an_agent_does(monkeypatch):
    stdin(monkeypatch, "size,colour,y\n2.5,red,a\n,blue,b\n")
    block = next(open_stream("-:format=csv,labels=a|b", 0).blocks())
    agent = Agent("banditron", labels=["a", "b"])
    row = agent._read({"size": 2.5, "colour": "red"})
    assert row.indices.tolist() == block.rows.indices[:2].tolist()
    assert row.values.tolist() == block.rows.values[:2].tolist()
    assert block.rows.starts.tolist() == [0, 2, 3]


# tables


def test_columns_of_a_table(put):
    text = 'n,c,label,k\n1.5,red,a,10\n,"b,\nlue",b,9\n-2,,a,10\n'
    stream, rows, labels = read(put("a.csv", text) + ":label=label,categories=k")
    assert labels == ["a", "b", "a"]
    assert stream.columns == (Column(0, 1, NUMBERS), Column(1, 2, 2), Column(3, 2, 2))
    # n, then c: "b,\nlue" and red, then k: 9 and 10
    assert rows.tolist() == [[1.5, 0, 1, 0, 1], [0, 1, 0, 1, 0], [-2, 0, 0, 0, 1]]


def test_zeros_and_ones_are_no_column_of_numbers(put):
    path = put("a.csv", "a,b,y\n1,1,1\n0,0,2\n1.0,,1\n0,2,2\n")
    assert read(path)[0].columns == (Column(1, 1, NUMBERS),)


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
    assert spec.params["values"] == "c/z/b|all/b"
    assert "1 to 4, got e." in refusal(f"{path}:values=e/1")
    for wrong in ("c", "c/", "/a", "c/a/a", "c/a//b"):
        assert "values must be sorted, seen, or column/value" in refusal(f"{path}:values={wrong}")


def test_more_rounds_than_rows_are_refused_also_where_the_length_is_unknown(put):
    path = put("a.svm", "a 1:1\nb 1:2\na 1:3\n") + ":labels=a|b,features=1,base=1"
    assert open_stream(path, 0).length is None
    assert play(path, rounds=3).rounds == play(path).rounds == 3
    with pytest.raises(BadInput, match="at most the stream's 3 rows, got 4; give --with repeat"):
        play(path, rounds=4)
    assert play(path, rounds=4, transforms=("repeat",)).rounds == 4


def test_a_shuffled_file_is_read_whole_and_its_size_is_said(put, capsys):
    text = "".join(f"{'ab'[n % 2]} 1:{n + 1}\n" for n in range(5000))
    known = put("a.svm", text) + ":labels=a|b,features=1,base=1"  # no first pass: no length
    for spec in (known, put("b.svm", text)):
        rows, labels = write.dense(open_stream(spec, 3, ["shuffle"]))
        order = [int(value) - 1 for (value,) in rows]
        assert sorted(order) == list(range(5000)) != order
        assert labels == ["ab"[n % 2] for n in order]
        # 28 bytes a row: its start 8, index 4, value 8, label 4, signal 4
        assert "shuffle: 5,000 rows are held in memory, 0.1 MB\n" in capsys.readouterr().err
        bad._told.clear()


def test_the_label_column(put):
    path = put("a.csv", "y,x\na,1\nb,2\n")
    for label in ("y", "first"):
        assert read(f"{path}:label={label}")[2] == ["a", "b"]
    assert read(f"{path}:label=1,header=yes")[2] == ["a", "b"]
    assert read(f"{path}:label=1")[2] == ["y", "a", "b"]  # a number: no header
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


def test_numbers_that_are_none(put):
    path = put("a.csv", "x,y\n1,a\nnan,b\n2,b\n")
    assert "line 3 must have a finite number in column x, got nan" in refusal(path)
    path = put("b.csv", "x,y\n1,a\nfoo,b\n2,b\n")
    assert read(path)[0].columns == (Column(0, 3, 3),)
    assert "line 3 must have a finite number in column x, got foo" in refusal(f"{path}:numbers=x")


def test_a_column_of_many_values_is_hashed(put, monkeypatch):
    monkeypatch.setattr("onebit.streams.files.table.MANY", 3)
    path = put("a.csv", "n,c,y\n" + "".join(f"{n},v{n},{n % 2}\n" for n in range(9)))
    stream, rows, _ = read(f"{path}:hashed=64")
    assert (stream.features, stream.columns) == (1 + 64, (Column(0, 1, NUMBERS),))
    for n, row in enumerate(rows):
        assert row[0] == n
        assert row[1 + mmh3.hash(f"c=v{n}", signed=False) % 64] == 1


@pytest.mark.parametrize(
    "line", ["[]", "{", '{"x": {}}', '{"x": 3, "y": 1}', '{"x": {"a": []}, "y": 1}',
             '{"x": {"a": NaN}, "y": 1}', '{"x": {}, "y": null}', '{"x": {}, "y": []}']
)  # fmt: skip
def test_a_malformed_line_of_json_is_one_sentence(put, line):
    path = put("a.jsonl", f'{{"x": {{"a": 1}}, "y": 1}}\n{line}\n{{"x": {{"b": "c"}}, "y": true}}')
    assert "line 2 must " in refusal(path)
    assert read(f"{path}:bad=skip")[2] == ["1", "true"]


def test_text_columns(put):
    path = put("a.tsv", "7\tearn\tMoney money\n8\tcocoa\tBeans\n")
    _stream, rows, labels = read(f"{path}:format=text,label=2")
    assert labels == ["earn", "cocoa"]
    assert rows[0][mmh3.hash("money", signed=False) % HASHED_WIDTH] == 1
    assert "must have 3 fields" in refusal(put("b.txt", "a\tb\tc\nx\ty\n"))
    assert "must have 2 fields" in refusal(put("c.txt", "a\nb\n"))


# reading ahead


def test_items_made_ahead_are_the_same_and_errors_come_in_their_place():
    def items():
        yield 1
        yield 2
        raise BadInput("no.")

    seen = []
    with pytest.raises(BadInput):
        seen.extend(ahead(items()))
    made = ahead(items())
    assert [next(made), next(made)] == [1, 2]


def test_a_caller_that_stops_ends_the_other_thread_too():
    closed = threading.Event()

    def items():
        try:
            while True:
                yield 1
        finally:
            closed.set()

    made = ahead(items())
    next(made)
    made.close()
    assert closed.is_set()
    assert not any(thread.name == "onebit-ahead" for thread in threading.enumerate())


def test_waiting_for_standard_input_ends_when_the_user_interrupts():
    read_end, write_end = os.pipe()
    with os.fdopen(read_end, "rb") as file, os.fdopen(write_end, "wb", buffering=0) as pipe:
        pipe.write(b"1 | a\n2 |")
        reader = live.Live(file)
        assert reader.peek(4) == b"1 | "
        live.interrupted.set()
        try:
            assert reader.read(1000) == b"1 | "
        finally:
            live.interrupted.clear()
        pipe.write(b" b\n")
        pipe.close()
        assert reader.read(1000) == b"a\n2 | b\n"
