"""The diagnostics of boosters are in the results and in a figure."""

import json

from onebit.experiment.report import boosting_figure, run_report
from onebit.experiment.run.pools import open_pool
from onebit.experiment.run.runner import run_all
from onebit.experiment.run.trial import Trial


def results(*learners):
    trials = [Trial.parse("synsep", learner, seed, 300) for learner in learners for seed in (0, 1)]
    with open_pool(1) as pool:
        return run_all(trials, pool, lambda progress: None).results


def test_the_figure_and_the_lines_hold_diagnostics(tmp_path):
    found = results("banditboost:n=4", "boost:n=3", "banditron")
    files = {file.name: file for file in run_report.write_comparison(found, tmp_path)}
    assert files["voters.png"].read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    lines = [json.loads(line) for line in files["results.jsonl"].read_text().splitlines()]
    diagnostics = [line["diagnostics"] for line in lines]
    assert sorted(len(each.get("advantage", ())) for each in diagnostics) == [0, 0, 3, 3, 4, 4]
    assert all(len(each["effective_voters"]) == 9 for each in diagnostics if each)


def test_without_a_booster_there_is_no_figure(tmp_path):
    assert boosting_figure.draw(results("banditron"), tmp_path) == []
    assert list(tmp_path.iterdir()) == []
