"""Sweeps: grids, and the unbiased error of the best point; kept results."""

import json
import math
import os
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from click.testing import CliRunner

from onebit import BadInput
from onebit.cli.commands import cli
from onebit.experiment.report.summary import stream_name
from onebit.experiment.report.text_tables import sweep_table
from onebit.experiment.run import address, runner
from onebit.experiment.run.address import trial_address
from onebit.experiment.run.runner import run_all
from onebit.experiment.run.store import Store
from onebit.experiment.run.sweep import choose_best, parse_grid
from onebit.experiment.run.trial import Trial


@pytest.mark.parametrize(
    ("text", "name", "points"),
    [
        ("gamma=2^-3..2^-1", "gamma", ["2^-3", "2^-2", "2^-1"]),
        ("gamma=2^-1..2^-3", "gamma", ["2^-1", "2^-2", "2^-3"]),
        ("n=1..4", "n", ["1", "2", "3", "4"]),
        ("delta=.01,.03", "delta", [".01", ".03"]),
        ("ties=random,first", "ties", ["random", "first"]),
        ("n=3", "n", ["3"]),
    ],
)
def test_grids(text, name, points):
    assert parse_grid(text) == (name, points)


@pytest.mark.parametrize(
    "text", ["gamma", "=1..2", "gamma=", "gamma=1..", "g=2^1..3^2", "g=2^1..4", "g=.1...5"]
)
def test_bad_grids_are_one_sentence(text):
    with pytest.raises(BadInput, match=r"^onebit: (--over|a range) .*\.$"):
        parse_grid(text)


class Fake:
    def __init__(self, error):
        self.error = error


def test_the_best_point_has_two_errors():
    """Each point is good on one half of the seeds: choosing on the other half shows that."""
    grid = {
        "a": [Fake(e) for e in (0.1, 0.1, 0.5, 0.5)],
        "b": [Fake(e) for e in (0.5, 0.5, 0.2, 0.2)],
    }
    best = choose_best(grid)
    assert (best.point, best.same) == ("a", pytest.approx(0.3))
    assert best.other == pytest.approx(0.5)
    assert math.isnan(choose_best({"a": [Fake(0.1)]}).other)  # one seed cannot choose for itself


def quiet(progress):
    pass


def play(trials, directory):
    with ThreadPoolExecutor(2) as pool:
        return run_all(trials, pool, quiet, Store(directory))


@pytest.fixture
def trials():
    return [Trial.parse("synsep", "banditron", seed, 500) for seed in range(3)]


def test_a_best_point_at_the_end_of_the_grid_is_told(trials, tmp_path):
    runs = sorted(play(trials, tmp_path)[0], key=lambda result: result.error)
    middle, ends = [1, 0, 2], [0, 1, 2]
    tables = [sweep_table("g", {str(n): [runs[n]] for n in order}) for order in (middle, ends)]
    assert [", at the end of the grid" in table for table in tables] == [False, True]


def test_a_file_is_named_in_titles_by_its_name_alone():
    named = map(stream_name, ("./a/b.csv:format=csv,labels=auto", "-:format=csv", "car:order=file"))
    assert list(named) == ["b.csv", "standard input", "car:order=file"]


def test_finished_trials_are_not_run_again(trials, tmp_path, monkeypatch):
    before = play(trials, tmp_path)
    monkeypatch.setattr(runner, "play_trials", lambda *args: pytest.fail("ran again"))
    after = play(trials, tmp_path)
    assert after.results == before.results
    assert not after.failures


def test_anything_that_could_change_a_result_changes_its_address(trials, monkeypatch):
    one = trials[0]
    others = [
        replace(one, seed=9),
        replace(one, rounds=501),
        Trial.parse("synsep:noise=0.1", one.learner, 0, 500),
        one.with_learner("banditron:gamma=0.06"),
        Trial.parse(one.stream, one.learner, 0, 500, ("take:n=500",)),
    ]
    assert len({trial_address(trial) for trial in [one, *others]}) == 6
    before = trial_address(one)
    monkeypatch.setattr(address, "source_digest", lambda folders: "another source")
    assert trial_address(one) != before


def test_another_file_under_the_same_name_is_another_trial(tmp_path):
    file = tmp_path / "few.csv"
    file.write_text("label,x\na,1\nb,2\n")
    trial = Trial.parse(str(file), "perceptron")
    before = trial_address(trial)
    assert trial_address(trial) == before
    file.write_text("label,x\na,1\nb,3\n")
    os.utime(file, ns=(1, 1))  # whatever the clock says
    assert trial_address(trial) != before


def test_what_is_shown_as_ended_is_kept_already(trials, tmp_path):
    shown = []

    def show(progress):
        shown.append((progress.ended, sum(Store(tmp_path).find(t) is not None for t in trials)))

    with ThreadPoolExecutor(1) as pool:
        run_all(trials, pool, show, Store(tmp_path))
    assert shown[-1] == (3, 3)
    assert all(kept >= ended for ended, kept in shown)


@pytest.mark.parametrize("kind", ["compare", "sweep"])
def test_compare_and_sweep_write_the_same_kind_of_report(kind, tmp_path, monkeypatch):
    learner = ["banditron", "perceptron"] if kind == "compare" else ["banditron"]
    over = ["--over", "gamma=0.1,0.3"] if kind == "sweep" else []
    words = [kind, "synsep", *learner, *over, "--seeds", "2", "--rounds", "300", "--out", tmp_path]
    words = [str(word) for word in words]
    monkeypatch.setattr("sys.argv", ["onebit", *words])
    first = CliRunner().invoke(cli, words)
    assert first.exit_code == 0, first.output
    page, text = (tmp_path / "report.html").read_text(), (tmp_path / "report.md").read_text()
    assert f"onebit {' '.join(words)}" in text
    figures = {"curves"} if kind == "compare" else {"curves", "sweep"}
    assert set(re.findall(r"<img alt='([^']*)'", page)) == figures
    assert ("chosen on other orders" in text) == (kind == "sweep")
    assert len((tmp_path / "results.csv").read_text().splitlines()) == 1 + 4
    monkeypatch.setattr(runner, "play_trials", lambda *args: pytest.fail("ran again"))
    assert CliRunner().invoke(cli, words).stdout == first.stdout


@pytest.mark.parametrize("damage", [b"", b"{", b'{"stream": 1}', b"\0" * 50])
def test_a_damaged_result_is_computed_again(trials, tmp_path, damage):
    whole = play(trials, tmp_path)
    path = tmp_path / "trials" / f"{trial_address(trials[1])}.json"
    path.write_bytes(damage)
    again = play(trials, tmp_path)
    assert [r.curve for r in again.results] == [r.curve for r in whole.results]
    assert json.loads(path.read_text())["content"]["seed"] == 1


def test_a_half_written_result_is_never_believed(trials, tmp_path, monkeypatch):
    def crash(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", crash)
    play(trials[:1], tmp_path)
    assert Store(tmp_path).find(trials[0]) is None


def test_an_interrupted_trial_is_not_kept(tmp_path):
    trial = Trial.parse("synsep", "banditron", 0, 10**12)

    def interrupt(progress):
        if progress.done:
            raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as pool:
        results, _ = run_all([trial], pool, interrupt, Store(tmp_path))
    assert results[0].interrupted
    assert Store(tmp_path).find(trial) is None


def test_a_store_in_a_file_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        Store(tmp_path / "file")
