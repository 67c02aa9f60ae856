"""The benchmark measures what it says: no figure is judged here, only how figures are made."""

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bench import datasets, events, growth, kernels, page, peers, roofline, row_making, scale
from bench.by_hand import LOOPS
from bench.timing import Case, measure, step_seconds
from onebit import learners
from onebit.agent.recipe import Recipe
from onebit.kernel.round import Bit, Label
from onebit.kernel.state import learned_arrays
from onebit.learners import LearnerTraits

ROOT = Path(__file__).parents[1]


def test_every_learner_has_its_rows():
    cases = {case.name: case for case in kernels.cases(1)}
    assert {name for name, _ in kernels.learners_and_datasets()} == set(learners.names())
    for name, rows in kernels.learners_and_datasets():
        case, given = cases[f"{name}, {rows}"], datasets.dataset(rows, 1)
        assert case.section == "learners"
        player = Recipe.parse(name).player(given.sizes, 0)
        assert case.state >= sum(a.nbytes for a in learned_arrays(player.learner).values())
        assert f"{given.sizes.labels} labels" in case.on
    for spec, rows in kernels.PAIRS:
        assert cases[f"{spec}, {rows}, by hand"].against == f"{spec}, {rows}"


def test_a_new_learner_of_a_known_kind_finds_its_data_set():
    for row in ("features", "nothing", "few features", "advice"):
        for hears in (Bit, Label):
            for labels in (None, 2):
                names = datasets.datasets_for(LearnerTraits(hears, "greedy", row, labels))
                for name in names:
                    given = datasets.dataset(name, 1)
                    assert labels in (None, given.sizes.labels)
                    assert ("hypotheses" in given.about) == (row == "advice")


def test_a_data_set_of_advice_has_a_perfect_hypothesis():
    for name in ("advice", "a small class", "a large class"):
        for block in datasets.dataset(name, 1).blocks:
            right = block.rows.values == block.truths.labels[:, None]
            assert right.all(axis=0).any()


@pytest.mark.long
@pytest.mark.parametrize(("spec", "rows"), kernels.PAIRS, ids=map(", ".join, kernels.PAIRS))
def test_loops_by_hand_make_the_same_mistakes(spec, rows):
    kernels.assert_same_mistakes(spec, datasets.dataset(rows, 1))


def test_a_loop_by_hand_that_plays_differently_is_seen(monkeypatch):
    own = LOOPS["banditron"].own
    monkeypatch.setattr(LOOPS["banditron"], "own", lambda player: (*own(player)[:-1], 0.2))
    with pytest.raises(AssertionError, match="plays differently"):
        kernels.assert_same_mistakes("banditron", datasets.dataset("sparse", 1))


def test_parts_keep_their_own_median_and_least():
    one = iter([[9.0, 9.0], [1.0, 5.0], [3.0, 1.0], [2.0, 3.0]])
    two = iter([[9.0], [8.0], [4.0], [6.0]])
    cases = [
        Case("learners", "one", 2_000_000, lambda: next(one)),
        Case("peers", "two", 1_000_000, lambda: next(two), None, "one"),
    ]
    first, second = measure(cases, 3)
    assert (first.us, first.least) == ((2 + 3) / 2, (1 + 1) / 2)
    assert (second.us, second.least, second.ratio) == (6, 4, 4)


def test_laps_are_one_a_step():
    assert len(step_seconds(iter(range(5)))) == 5


def test_cases_run_and_are_shown():
    cases = [*events.cases(events.BATCH), *row_making.cases(1), *peers.cases(100, 50)]
    cases = [case for case in cases if "auto" not in case.name]  # which would compile for long
    results = measure([case._replace(against=None) for case in cases], 1)
    shown = page.table(results), page.page(results, {"python": "3"}, 1)
    for case, result in zip(cases, results, strict=True):
        assert result.least > 0
        for text in shown:
            assert case.name in text


def test_a_roofline_touches_what_the_loop_touches():
    for name, rounds in (("sparse", 300), ("dense", 300), ("connect4", 300)):
        given = datasets.dataset(name, 1).head(1)
        block = given.blocks[0].head(rounds)
        given = given._replace(blocks=[block])
        for spec in ("banditron", "banditboost:n=10"):
            ((values, starts, indices, weights, begins, changed, copies, sums, _),) = (
                roofline.parts_of(spec, given)
            )
            assert (values.size == rounds * given.sizes.features) == (name == "dense")
            assert copies == (10 if spec != "banditron" else 1)
            assert weights.shape == (given.sizes.features, copies * given.sizes.labels)
            assert len(begins) == rounds + 1
            if spec == "banditron":  # the greedy label is right in most rounds: no change
                assert 0 < len(changed) < 2 * rounds
            else:
                assert 0 < len(changed) <= rounds  # at most the played label
            before = weights.copy()
            arguments = values, starts, indices, weights, begins, changed, copies, sums
            assert roofline.add_up(*arguments, 1.0) == pytest.approx(values.sum())
            entries = np.diff(starts)[np.repeat(np.arange(rounds), np.diff(begins))].sum()
            assert (weights - before).sum() == pytest.approx(entries * copies)
            sums[:] = 0.0
            weights[:] = 1.0
            roofline.add_up(*arguments, 0.0)
            assert (sums == indices.size).all()


def test_growth_is_measured_and_drawn(monkeypatch, tmp_path):
    timed = []
    monkeypatch.setattr(growth, "timed", lambda command: timed.append(command) or (0.5, 1e8))
    points = list(growth.measure(1e4))
    assert {point.what for point in points} == {
        "rounds", "labels", "features", "weak learners", "workers",
    }  # fmt: skip
    assert max(point.size for point in points) == 10**4
    assert all(command[-1] != "1000000" for command in timed)
    assert list(growth.rows(points[:1]))[1] == ("rounds", "10,000", "0.50", "100")
    growth.draw(points, tmp_path / "a.svg")
    assert "weak learners" in (tmp_path / "a.svg").read_text()
    monkeypatch.setattr(page, "PATH", tmp_path / "benchmark.md")
    page.write("# One\n")
    page.write_growth("| a |", "0.5")
    assert page.PATH.read_text().count("growth.svg") == 1


def test_a_run_at_scale_tells_its_own_time_and_memory():
    # of a process that starts another, the memory counts too: it starts from a small one
    code = "from bench import scale; print(tuple(scale.run('vote', 'uniform', '--rounds', '500')))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    ran = scale.ScaleRun(*ast.literal_eval(run.stdout))
    assert (ran.rounds, ran.learner) == (500, "uniform")
    assert ran.seconds > 0
    assert ran.cpu > 0
    assert 20 < ran.megabytes < 2000
    head, line = scale.rows([ran])
    assert len(head) == len(line)


def test_each_part_of_the_page_is_written_and_keeps_the_other(monkeypatch, tmp_path):
    monkeypatch.setattr(page, "PATH", tmp_path / "benchmark.md")
    page.write("# One\n")
    page.write_scale("| a |", "0.5")
    page.write("# Two\n")
    text = page.PATH.read_text()
    assert text.startswith("# Two\n")
    assert text.count(page.SCALE) == text.count("| a |") == 1
    page.write_scale("| b |", "0.5")
    text = page.PATH.read_text()
    assert text.startswith("# Two\n")
    assert "| a |" not in text
    assert "| b |" in text
