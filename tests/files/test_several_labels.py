"""Several right labels in a row of a file: svmlight, JSON lists, and a separator elsewhere."""

import numpy as np
import pytest

from onebit.errors import BadInput
from onebit.experiment.run.playing import play_trials
from onebit.experiment.run.trial import Trial
from onebit.kernel.block import Multi, Single
from onebit.streams.inspecting import inspect_file
from onebit.streams.opening import open_stream

FILES = {
    "a.svm": "1,2 1:1\n3 2:1\n2,1,2 1:1 2:1\n",
    "a.jsonl": '{"x": [1, 0], "y": [1, 2]}\n{"x": [0, 1], "y": 3}\n{"x": [1, 1], "y": [2, 1, 2]}\n',
    "flat.jsonl": (
        '{"u": 1, "v": 0, "y": [1, 2]}\n{"u": 0, "v": 1, "y": 3}\n{"u": 1, "v": 1, "y": [2, 1]}\n'
    ),
    "flat.jsonl:several=bar": (
        '{"u": 1, "v": 0, "y": "1|2"}\n{"u": 0, "v": 1, "y": "3"}\n{"u": 1, "v": 1, "y": "2|1"}\n'
    ),
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
        ("a.jsonl", '{"x": [1, 0], "y": []}\n', "a string, a number, a list of them or their"),
        ("a.jsonl", '{"x": [1, 0], "y": [[1]]}\n', "a string, a number, a list of them or their"),
        ("a.jsonl", '{"x": [1, 0], "y": {"1": "2"}}\n', "a list of them or their degrees 'y', got"),
        ("a.jsonl", '{"x": [1, 0], "y": {"1": -2}}\n', "degrees of relevance that are numbers"),
        ("a.jsonl", '{"x": [1, 0], "y": ["1\\u001f2"]}\n', "a list of them or their degrees 'y'"),
        ("flat.jsonl", '{"u": 1, "v": 0, "y": [[1]]}\n', "single values and a label or several"),
        ("flat.jsonl", '{"u": [1], "v": 0, "y": [1]}\n', "single values and a label or several"),
    ],
)
def test_a_set_that_is_none_is_refused_with_its_line(tmp_path, name, line, sentence):
    with pytest.raises(BadInput, match=sentence):
        list(opened(tmp_path, name, FILES[name] + line).blocks())


GRADED = {
    "a.svm:degrees=yes": "1=3,2 1:1\n3=0.5 2:1\n2=1,1=0,2=2 1:1 2:1\n",
    "a.jsonl": '{"x": [1, 0], "y": {"1": 3, "2": 1}}\n{"x": [0, 1], "y": {"3": 0.5}}\n'
    '{"x": [1, 1], "y": {"1": 0, "2": 2}}\n',
    "flat.jsonl": '{"u": 1, "v": 0, "y": {"1": 3, "2": 1}}\n{"u": 0, "v": 1, "y": {"3": 0.5}}\n'
    '{"u": 1, "v": 1, "y": {"1": 0, "2": 2}}\n',
    "a.csv:several=semicolon,degrees=yes": "u,v,y\n1,0,1=3;2\n0,1,3=0.5\n1,1,2=2; 1=0\n",
    "a.txt:several=comma,degrees=yes": "1=3,2\tone\n3=.5\ttwo\n1=0,2=2\tone two\n",
}


@pytest.mark.parametrize("spec", GRADED)
def test_labels_have_degrees_of_relevance(tmp_path, spec):
    """A degree of 0 is that of a wrong label."""
    stream = opened(tmp_path, spec, GRADED[spec])
    assert stream.labels == [1, 2, 3]
    (block,) = stream.blocks()
    assert block.truths.starts.tolist() == [0, 2, 3, 4]
    assert block.truths.labels.tolist() == [0, 1, 2, 1]
    assert block.truths.degrees.tolist() == [3.0, 1.0, 0.5, 2.0]


@pytest.mark.parametrize("degree", ["x", "-1", "nan", "inf", "1_0", ""])
def test_what_is_no_degree_is_refused_with_its_line(tmp_path, degree):
    text = f"1=3,2 1:1\n3={degree} 2:1\n"
    with pytest.raises(BadInput, match="line 2 must have degrees of relevance that are numbers"):
        list(opened(tmp_path, "a.svm:degrees=yes", text).blocks())


def test_without_the_parameter_a_degree_is_part_of_the_label(tmp_path):
    assert opened(tmp_path, "a.svm", "1=3,2 1:1\n3 2:1\n").labels == ["1=3", "2", "3"]


def test_a_column_of_lists_or_maps_in_parquet(tmp_path):
    """With a missing list, which is no label."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    maps = pyarrow.map_(pyarrow.string(), pyarrow.float64())
    for name, kind, column, degrees in (
        ("lists", None, [["b", "a"], ["c"], ["a"]], []),
        ("maps", maps, [[("b", 2.0), ("a", 1.0)], [("c", 1.0), ("b", 0.0)], [("a", 3.0)]],
         [1.0, 2.0, 1.0, 3.0]),
    ):  # fmt: skip
        path = tmp_path / f"{name}.parquet"
        table = {"u": [1.0, 0.0, 2.0], "y": pyarrow.array(column, kind)}
        parquet.write_table(pyarrow.table(table), path)
        stream = open_stream(str(path), 0)
        assert stream.labels == ["a", "b", "c"]
        (block,) = stream.blocks()
        assert block.truths.starts.tolist() == [0, 2, 3, 4]
        assert block.truths.labels.tolist() == [0, 1, 2, 0]
        assert block.truths.degrees.tolist() == degrees
        assert inspect_file(str(path)).labels == {"a": 2, "b": 1, "c": 1}
    bad = {"u": [1.0, 0.0], "y": pyarrow.array([["a", "b"], None])}
    parquet.write_table(pyarrow.table(bad), tmp_path / "bad.parquet")
    with pytest.raises(BadInput, match="row 2 must have a label"):
        open_stream(str(tmp_path / "bad.parquet"), 0)
    nested = {"u": pyarrow.array([[1.0], [2.0]]), "y": ["a", "b"]}
    parquet.write_table(pyarrow.table(nested), tmp_path / "nested.parquet")
    with pytest.raises(BadInput, match="column u must hold single values"):
        open_stream(str(tmp_path / "nested.parquet"), 0)


def test_full_information_hears_the_set(tmp_path):
    (tmp_path / "a.svm").write_text("1,2 1:1\n" * 200 + "3 2:1\n" * 100, encoding="utf-8")
    transforms = ("repeat:n=3", "shuffle")
    trial = Trial.parse(str(tmp_path / "a.svm"), "perceptron", 0, None, transforms)
    assert play_trials([trial])[0].error < 0.1


def test_inspect_counts_rows_and_labels_apart(tmp_path):
    (tmp_path / "a.svm").write_text(FILES["a.svm"], encoding="utf-8")
    found = inspect_file(str(tmp_path / "a.svm"))
    assert (found.rows, found.labels) == (3, {"1": 2, "2": 2, "3": 1})


def test_feedback_that_comes_late_is_of_the_labels_then_shown(tmp_path):
    """A file whose first block has single labels, and delays across blocks."""
    text = "1 1:1\n" * 10_050 + "1=2,2=1 1:1\n" * 50 + "3 2:1\n" * 100
    (tmp_path / "a.svm").write_text(text, encoding="utf-8")
    spec = f"{tmp_path / 'a.svm'}:degrees=yes"
    trial = Trial.parse(spec, "label-ranking:r=1", 0, None, ("delay:n=30",))
    assert play_trials([trial])[0].rounds == 10_200


def test_a_label_is_the_same_whatever_other_rows_have(tmp_path):
    """Blanks around a label were lost, and invalid bytes a label, beside rows of several labels."""
    lines = ['{"x": {"u": 1}, "y": " a "}\n', '{"x": {"u": 1}, "y": "a"}\n']
    for n, more in enumerate(("", '{"x": {"u": 1}, "y": ["a", " a "]}\n')):
        path = tmp_path / f"{n}.jsonl"
        path.write_text("".join(lines) + more)
        assert open_stream(str(path), 0).labels == [" a ", "a"]
    path = tmp_path / "a.svm"
    path.write_bytes(b"a,b 1:1\n\xff 1:1\nb 2:1\n")
    with pytest.raises(
        BadInput, match=r"line 2 must have a label of printable UTF-8 text, got .xff"
    ):
        list(open_stream(str(path), 0).blocks())
