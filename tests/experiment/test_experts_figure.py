"""Diagnostics of a combination of experts are in the results and in a figure."""

import json

import pytest

from onebit.experiment.report import experts_figure, run_report
from onebit.experiment.run.pools import open_pool
from onebit.experiment.run.runner import run_all
from onebit.experiment.run.trial import Trial


def results(*learners):
    trials = [Trial.parse("car", learner, 0, 60) for learner in learners]
    with open_pool(1) as pool:
        return run_all(trials, pool, lambda progress: None).results


@pytest.mark.xdist_group("auto")
def test_the_figure_and_the_lines_show_the_experts(tmp_path):
    found = results("auto", "majority")
    files = {file.name: file for file in run_report.write_comparison(found, tmp_path)}
    assert files["experts.png"].read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    text = files["experts.svg"].read_text()
    assert text.count("softmax") >= 2  # in both legends
    assert "auto on car" in text
    line = json.loads(files["results.jsonl"].read_text().splitlines()[0])
    assert line["diagnostics"]["experts"] == ["softmax", "pairs", "forest"]


def test_without_experts_there_is_no_figure(tmp_path):
    assert experts_figure.draw(results("majority"), tmp_path) == []
    assert list(tmp_path.iterdir()) == []
