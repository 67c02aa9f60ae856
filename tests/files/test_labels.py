"""Labels of files: their order, their numbers, and those that are given."""

import numpy as np
import pytest
from files.reading import play, read, refusal
from pace import some

from onebit.streams.file import with_options
from onebit.streams.opening import open_stream, resolve


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


@pytest.mark.parametrize("labels", ["a", "a|b|a", "1|1.0"])
def test_labels_that_are_given_are_different(put, labels):
    sentence = refusal(put("a.csv", "x,y\n1,b\n2,a\n") + f":labels={labels}")
    assert "labels must be at least 2 and all different, got " in sentence


def test_a_label_that_was_not_given_is_a_malformed_line(put):
    path = put("a.csv", "x,y\n1,b\n2,a\n3,c\n")
    sentence = refusal(f"{path}:labels=a|b")
    assert "line 4 must have one of the labels a, b, got c." in sentence
    assert read(f"{path}:labels=a|b,bad=skip")[2] == ["b", "a"]


def test_a_line_without_a_label_is_told_how_to_leave_it_out(put):
    told = refusal(put("a.csv", "x,label\n1,u\n2,v\n3,\n") + ":label=label")
    assert told.endswith(
        "line 4 must have a label (--skip-bad leaves out lines without one), got ''."
    )


def test_labels_with_any_characters_pass_through_a_spec(put):
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
    n = some(100_000, 1000)
    text = "".join(f"{k} {k % 7 + 1}:1\n" for k in range(n)) + f"{n - 1} 1:1\n0 1:1\n"
    stream = open_stream(put("a.svm", text), 0)
    assert list(stream.labels) == list(range(n))
    truths = np.concatenate([block.truths.labels for block in stream.blocks()])
    assert np.array_equal(truths, [*range(n), n - 1, 0])
