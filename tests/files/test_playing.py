"""Files as streams: their rounds, their order, and what is told about them."""

import numpy as np
import pytest
from files import write
from files.reading import play

from onebit import BadInput
from onebit.streams.opening import open_stream
from onebit.streams.reading import bad_lines as bad


def test_bad_lines_are_told_at_the_end(put, capsys):
    result = play(put("a.svm", "1 1:1\nx:1\n2 1:1\n2 y\n") + ":bad=skip")
    assert result.rounds == 2
    told = capsys.readouterr().err
    assert "2 bad lines were skipped; the first: line 2 must start with a label" in told


def test_the_first_pass_is_told_once(put, capsys):
    path = put("a.svm", "1 1:1\n2 1:1\n")
    play(path, rounds=2)
    play(path, rounds=2)
    told = capsys.readouterr().err
    assert told.count("a first pass found 2 rows, 1 features and 2 labels: 1, 2") == 1


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
        bad._notified.clear()
