"""Several right labels in a row of a file: svmlight, JSON lists, and a separator elsewhere."""

import numpy as np
import pytest

from onebit.errors import BadInput
from onebit.experiment.run.playing import play_trials
from onebit.experiment.run.trial import Trial
from onebit.kernel.block import Multi, Single
from onebit.streams.opening import open_stream

FILES = {
    "a.svm": "1,2 1:1\n3 2:1\n2,1,2 1:1 2:1\n",
    "a.jsonl": '{"x": [1, 0], "y": [1, 2]}\n{"x": [0, 1], "y": 3}\n{"x": [1, 1], "y": [2, 1, 2]}\n',
    "a.csv:several=semicolon": "u,v,y\n1,0,1;2\n0,1,3\n1,1,2; 1\n",
    "a.csv:several=comma": 'u,v,y\n1,0,"1,2"\n0,1,3\n1,1,"2,1"\n',
    "a.tsv:several=bar": "u\tv\ty\n1\t0\t1|2\n0\t1\t3\n1\t1\t2|1\n",
    "a.txt:several=comma": "1,2\tone\n3\ttwo\n2,1\tone two\n",
}


def opened(folder, spec, text):
    name, _, params = spec.partition(":")
    (folder / name).write_text(text, encoding="utf-8")
    return open_stream(f"{folder / name}{':' if params else ''}{params}", 0)


@pytest.mark.parametrize("spec", FILES)
def test_the_right_labels_are_a_set(tmp_path, spec):
    stream = opened(tmp_path, spec, FILES[spec])
    assert stream.labels == [1, 2, 3]
    (block,) = stream.blocks()
    assert isinstance(block.truths, Multi)
    found = np.split(block.truths.labels, block.truths.starts[1:-1])
    assert [each.tolist() for each in found] == [[0, 1], [2], [0, 1]]


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("a.svm", "1 1:1\n3 2:1\n"),
        ("a.jsonl", '{"x": [1, 0], "y": 1}\n{"x": [0, 1], "y": 3}\n'),
        ("a.csv:several=semicolon", "u,v,y\n1,0,1\n0,1,3\n"),
    ],
)
def test_a_file_of_single_labels_stays_one(tmp_path, spec, text):
    (block,) = opened(tmp_path, spec, text).blocks()
    assert isinstance(block.truths, Single)
    assert block.truths.labels.tolist() == [0, 1]


def test_a_bandit_hears_whether_its_label_is_among_them(tmp_path):
    (tmp_path / "a.svm").write_text("1,2 1:1\n" * 200 + "3 2:1\n" * 100, encoding="utf-8")
    trial = Trial.parse(str(tmp_path / "a.svm"), "banditron", 0, None, ("repeat:n=3",))
    assert play_trials([trial])[0].error < 0.1


def test_without_a_separator_a_text_is_one_label(tmp_path):
    stream = opened(tmp_path, "a.csv", "u,v,y\n1,0,1;2\n0,1,3\n1,1,1;2\n")
    assert stream.labels == ["1;2", "3"]


@pytest.mark.parametrize(
    ("name", "line", "sentence"),
    [
        ("a.svm", "1,,2 1:1\n", "line 4 must have a label of printable UTF-8 text"),
        ("a.svm", "1: 1:1\n", "line 4 must start with a label, without a colon, got"),
        ("a.jsonl", '{"x": [1, 0], "y": []}\n', "a string, a number or a list of them 'y'"),
        ("a.jsonl", '{"x": [1, 0], "y": [[1]]}\n', "a string, a number or a list of them 'y'"),
    ],
)
def test_a_set_that_is_none_is_refused_with_its_line(tmp_path, name, line, sentence):
    with pytest.raises(BadInput, match=sentence):
        list(opened(tmp_path, name, FILES[name] + line).blocks())
