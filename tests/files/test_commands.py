"""Files on the command line: options, exit codes, learn and pack."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from onebit import Agent, BadInput
from onebit.cli.commands import cli


def call(*args, **more):
    return CliRunner().invoke(cli, args, catch_exceptions=True, **more)


def refusal(*args):
    result = call(*args)
    assert isinstance(result.exception, BadInput), result.output
    return str(result.exception)


def test_play_takes_the_options_for_files(put):
    path = put("a.dat", "b,1\na,2\nx\nb,3\n")
    result = call("play", path, "banditron", "--format", "csv", "--labels", "b, a",
                  "--label-column", "1", "--skip-bad", "--json")  # fmt: skip
    assert result.exit_code == 0, result.output
    line = json.loads(result.stdout)
    assert (line["rounds"], line["labels"], line["features"]) == (3, 2, 1)
    assert "labels=b|a,several=no,degrees=no,bad=skip,label=1" in line["stream"]
    assert "1 bad line was skipped" in result.stderr


def test_compare_reads_a_file_once_for_all_its_labels(put):
    path = put("a.csv", "x,y\n" + "1,a\n2,b\n" * 20)
    result = call("compare", path, "banditron", "perceptron", "--seeds", "2")
    assert result.exit_code == 0, result.output
    assert result.stderr.count("a first pass") == 1


def test_options_for_files_are_refused_for_other_streams():
    assert "are for files, got the stream synsep" in refusal(
        "play", "synsep", "banditron", "--labels", "a,b"
    )


def test_learn_says_what_it_used_and_saves_the_agent(put, tmp_path):
    good = '{"x": {"a": 1}, "label": "tea", "prob": 0.5, "correct": true}\n'
    path = put("log.jsonl", good + '{"x": {"a": 1}, "label": "cocoa", "correct": true}\n')
    saved = tmp_path / "agent.npz"
    result = call("learn", path, "banditron", "--save", str(saved))
    assert result.exit_code == 0, result.output
    assert "1 of 2 rows used" in result.stdout
    assert "1 not used: no prob" in result.stdout
    assert Agent.load(saved).predict({"a": 1}) == "tea"
    line = json.loads(call("learn", path, "banditron", "--json").stdout)
    assert (line["used"], line["unused"]) == (1, {"no prob": 1})


def test_pack_writes_beside_the_file_and_only_when_asked(put, tmp_path):
    path = put("a.svm.gz", __import__("gzip").compress(b"1 1:1\n2 2:1\n"))
    assert call("play", path, "banditron").exit_code == 0
    assert [p.name for p in tmp_path.iterdir()] == ["a.svm.gz"]
    assert call("pack", path).exit_code == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.onebit", "a.svm.gz"]
    result = call("play", str(tmp_path / "a.onebit"), "banditron", "--json")
    assert json.loads(result.stdout)["rounds"] == 2
    assert "-o OUT.onebit" in refusal("pack", "-", "--format", "svmlight", "--labels", "1,2")


def test_pack_finds_that_it_cannot_write_before_it_reads(put, tmp_path):
    error = refusal("pack", put("a.svm", "no row\n"), "-o", str(tmp_path / "no" / "a.onebit"))
    assert error.endswith("a.onebit cannot be written: No such file or directory.")


@pytest.mark.parametrize(
    ("args", "content", "code", "told"),
    [
        (["-", "banditron", "--format", "vw", "--labels", "1,2"], "1 | a\n2 | b\n", 0, ""),
        (["-", "banditron", "--format", "vw"], "1 | a\n", 2, "give --labels a,b,c"),
        (["-", "banditron", "--format", "vw", "--labels", "1,2"], "x\n", 2, "line 1 must have a"),
    ],
)
def test_standard_input_and_exit_codes(args, content, code, told):
    done = subprocess.run(
        [sys.executable, "-m", "onebit.cli", "play", *args],
        input=content, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_parameter_that_may_be_auto_says_so(put):
    path = put("a.svm", "1 1:1\n2 1:1\n")
    assert refusal("play", f"{path}:features=0", "banditron") == (
        "Svmlight: features must be auto or a whole number from 1 to 2147483647, got 0."
    )
    assert "labels must be auto or words with | between them, got" in refusal(
        "play", f"{path}:labels=a||b", "banditron"
    )
