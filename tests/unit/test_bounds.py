"""Bounds: the formulas, their conditions, and runs that respect them."""

import itertools
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onebit import BadInput
from onebit.agent.agent import Agent
from onebit.experiment.run.bound_fit import (
    bound_curve,
    evaluate_fitted_bound,
    fit_comparator,
    smallest_bound,
)
from onebit.experiment.run.runner import run_all
from onebit.experiment.run.trial import Trial
from onebit.kernel.rows import SparseRows
from onebit.streams.opening import open_stream
from onebit.theory import bounds
from onebit.theory.bounds import theorems
from onebit.theory.comparator import Measure, fit, measure, solve_row


def test_values_by_hand():
    """Each computed by hand from the printed (or corrected) formula."""
    assert bounds.perceptron(loss=9, complexity=4) == 9 + 4 + 6
    assert bounds.novikoff(radius=2, margin=0.5) == 16
    assert bounds.novikoff(radius=2, margin=0.5, norm=3) == 144
    assert bounds.consistent(size=7) == 6
    assert bounds.halving(size=8) == 3
    assert bounds.soa(dimension=3) == 3
    assert bounds.bandit_halving(labels=3, size=8) == 3 * math.log(8)
    assert bounds.weighted_majority(size=4, rounds=100) == math.sqrt(200 * math.log(4))
    assert bounds.exp3(labels=4, rounds=100) == math.sqrt(800 * math.log(4))
    assert bounds.exp4(labels=4, size=10, rounds=100) == math.sqrt(800 * math.log(10))
    assert bounds.exp3p(labels=2, rounds=100, delta=0.1) == 5.15 * math.sqrt(200 * math.log(20))
    assert bounds.lemma_5(labels=5, gamma=0.1, hit=0) == 100
    assert bounds.lemma_5(labels=5, gamma=0.1, hit=1, norm=2) == 0.8
    assert bounds.separable(labels=4, radius=1, margin=0.4) == 3 * 25
    value = bounds.soba(
        labels=2, features=2, rounds=20_000, gamma=0.05, squared_norm=2, largest_norm=1, eta=0.5,
        loss=7,
    )  # fmt: skip
    assert value == pytest.approx(7 + 2 / 3 + 2 / (0.05 * 0.75) * 4 * math.log(10_001) + 1000)
    # 0 + 1e6/64 + 3 max(9*81*64, ...) + 0
    assert bounds.banditron(labels=9, rounds=10**6, gamma=2**-6, complexity=81) == 15625 + 139968
    # the other side of the maximum, and a loss
    value = bounds.banditron(labels=2, rounds=10**8, gamma=0.25, complexity=1, loss=50)
    assert value == 50 + 0.25e8 + 3 * 5000 + math.sqrt(2 * 50 / 0.25)
    value = bounds.label_ranking(labels=6, rounds=1000, gamma=0.1, complexity=8, loss=5, r=2)
    assert value == pytest.approx(5 + 50 + 320 + 40)
    assert bounds.cover_halving(labels=2, features=2, complexity=100) == pytest.approx(
        2 * math.log(21**4)
    )
    assert bounds.cover_points(2, 50) == 7  # 15**6 = 1.1e7 hypotheses for 3 labels


def test_winnow_is_best_at_its_own_step_size():
    best = bounds.winnow(features=50, radius=2, margin=0.5)
    for eta in (0.05, 0.1, 0.12, 0.13, 0.2):
        assert bounds.winnow(features=50, radius=2, margin=0.5, eta=eta) >= best
    assert best <= 2 * (2 / 0.5) ** 2 * math.log(50)
    assert bounds.winnow(features=8, radius=1, margin=1) == 3
    with pytest.raises(BadInput, match="too large for the margin"):
        bounds.winnow(features=50, radius=2, margin=0.5, eta=3)
    with pytest.raises(BadInput, match="margin must be at most the radius"):
        bounds.winnow(features=50, radius=1, margin=1.5)


def test_orders_are_marked_and_conditions_checked():
    assert {name for name, t in theorems.items() if not t.is_bound} == {
        "corollary-2", "corollary-3", "theorem-7", "theorem-8", "banditboost"
    }  # fmt: skip
    assert bounds.corollary_2(labels=9, rounds=10**6, complexity=81).gamma == pytest.approx(0.027)
    with pytest.raises(BadInput, match="more than 4 K D = 2916"):
        bounds.corollary_2(labels=9, rounds=2916, complexity=81)
    tuned = bounds.corollary_3(labels=9, rounds=10**6, complexity=81, noise=0.1)
    around = [
        gamma * 10**6 + math.sqrt(9 * 81 * 0.1 * 10**6 / gamma)
        for gamma in (tuned.gamma * 0.9, tuned.gamma, tuned.gamma * 1.1)
    ]
    assert min(around) == around[1] == pytest.approx(tuned.order)
    with pytest.raises(BadInput, match="above 1/2"):
        bounds.corollary_3(labels=9, rounds=10, complexity=81, noise=0.5)
    needs = bounds.banditboost(labels=4, advantage=0.1, error=0.2)
    assert needs.delta == pytest.approx(0.005)
    assert needs.weak_learners == pytest.approx(4 / (0.005**2 * 0.01))
    assert needs.small_margins == 2 * needs.voting_loss == pytest.approx(0.04 * needs.rounds)
    assert bounds.theorem_7(labels=3, features=2, complexity=50).order == 18 * math.log(100)
    assert bounds.theorem_8(labels=9, rounds=1000, complexity=10, delta=0.1).dimension > 10


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("banditron", {"gamma": 0.6}, "gamma must be a number in (0, 0.5], got 0.6"),
        ("banditron", {"labels": 1}, "labels must be a whole number, at least 2, got 1"),
        ("halving", {"size": 0}, "size must be a whole number, at least 1, got 0"),
        ("halving", {"sise": 3}, "no parameter is called 'sise' (did you mean size?)"),
        ("novikoff", {"margin": 0}, "margin must be a number in (0, inf), got 0"),
        ("novikoff", {"margin": 2}, "margin must be at most radius times norm, 1, got 2"),
        ("lemma-5", {"hit": 2}, "hit must be a whole number from 0 to 1, got 2"),
        ("banditboost", {"error": 1e-100}, "its value for these arguments is out of reach"),
        ("banditron", {"gamma": 1e-320, "complexity": 1e308}, "is out of reach"),
        ("winnow", {"features": 10, "margin": 0.5, "eta": 1000}, "the bound is infinite"),
    ],
)
def test_conditions_that_do_not_hold_are_one_sentence(name, given, words):
    full = {
        "labels": 3,
        "rounds": 10,
        "gamma": 0.1,
        "complexity": 1.0,
        "size": 4,
        "radius": 1,
        "margin": 1,
        "advantage": 0.1,
    }
    takes = {p.name for p in theorems[name].params}
    with pytest.raises(BadInput) as error:
        theorems[name].value({k: v for k, v in full.items() if k in takes} | given)
    assert words in str(error.value)


def test_a_bound_needs_its_arguments_and_a_name():
    with pytest.raises(BadInput, match="banditron: it needs rounds, gamma, complexity"):
        bounds.banditron(labels=3)
    with pytest.raises(BadInput, match=r"did you mean banditron\?"):
        bounds.find("bandtron")


@given(
    gradient=st.lists(st.floats(-5, 5), min_size=2, max_size=6),
    length=st.floats(0.1, 10),
    cost=st.floats(0.01, 10),
    label=st.integers(0, 5),
)
def test_solve_row_is_optimal(gradient, length, cost, label):
    """The duals sum to 0, respect their caps, and satisfy the optimality conditions."""
    label %= len(gradient)
    b, out = np.array(gradient), np.empty(len(gradient))
    solve_row(b, label, length, cost, out)
    cap = np.where(np.arange(len(b)) == label, cost, 0.0)
    assert abs(out.sum()) < 1e-9
    assert (out <= cap + 1e-12).all()
    slope = length * out + b  # equal for all labels below their cap, and no larger at a cap
    free = out < cap - 1e-9
    if free.any():
        assert np.ptp(slope[free]) < 1e-8
        assert (slope[~free] <= slope[free].max() + 1e-8).all()


def test_the_comparator_is_a_known_maximum_margin():
    """Two labels on a line: rows +1 and -1 need w = +-1/2 for margin 1, so D = 2 (2 d) / 4."""
    rows = SparseRows(np.arange(3), np.zeros(2, np.int32), np.array([1.0, -1.0]))
    weights = fit(rows, np.array([0, 1], np.int32), 1, 2)
    assert weights.tolist() == [[pytest.approx(0.5), pytest.approx(-0.5)]]


@pytest.fixture(scope="module")
def synsep():
    trial = Trial.parse("synsep", "banditron:gamma=0.1", 0, 100_000)
    return trial, fit_comparator(trial)


@pytest.mark.compiled
def test_theorem_1_and_equation_7_hold_on_synsep(synsep):
    trial, found = synsep
    assert 60 < found.pairs[-1][1] < 130  # at margin 1
    trials = trial.over_seeds(range(3))
    trials.append(Trial.parse("synsep", "perceptron", 0, 100_000))
    with ThreadPoolExecutor(2) as pool:
        results = run_all(trials, pool, lambda progress: None).results
    bandit = evaluate_fitted_bound("banditron", {}, trials[0], results[0], found)
    assert np.mean([r.mistakes for r in results[:3]]) <= bandit.bound
    assert bandit.bound < 50_000  # without learning, eight of nine rounds are mistakes
    full = evaluate_fitted_bound("perceptron", {}, trials[3], results[3], found)
    assert results[3].mistakes <= full.bound <= found.pairs[-1][1]
    assert not full.vacuous


def test_the_measure_of_weights(monkeypatch):
    monkeypatch.setattr("onebit.streams.datasets.synsep.BLOCK", 50)
    stream = open_stream("synsep", 0)
    (block,) = itertools.islice(stream.blocks(), 1)
    weights = np.arange(3600.0).reshape(400, 9) % 7 / 70
    found = measure([block], weights)
    loss, least = 0.0, math.inf
    for i in range(50):
        start, stop = block.rows.starts[i : i + 2]
        scores = weights[block.rows.indices[start:stop]].sum(axis=0)
        y = block.truths.labels[i]
        margin = scores[y] - max(s for r, s in enumerate(scores) if r != y)
        loss += max(0, 1 - margin)
        least = min(least, margin)
    assert found.loss == pytest.approx(loss)
    assert found.least_margin == pytest.approx(least)
    assert found.rounds == 50


def test_a_bound_is_drawn_as_a_rate_and_an_order_is_not():
    rates = bound_curve("perceptron:loss=0,complexity=50", [10, 100, 1000])
    assert rates == [1.0, 0.5, 0.05]
    rates = bound_curve("banditron:labels=9,gamma=0.1,complexity=1", [10, 10**6])
    assert rates[0] == 1.0
    assert 0.1 < rates[1] < 0.11
    for text, why in {
        "theorem-7:labels=2,features=2,complexity=9": "holds up to a constant",
        "exp3:labels=5": "is about regret",
        "lemma-5:labels=5,gamma=0.1,hit=1": "is about a squared norm",
    }.items():
        with pytest.raises(BadInput, match=f"{why}, it cannot be drawn as a bound on mistakes"):
            bound_curve(text, [10])


def test_the_bound_of_a_cover_is_that_of_the_learners_cover():
    """Also where a grid of spacing 1 / sqrt(d) would have fewer points."""
    for labels, features, complexity in [(3, 1, 4.45), (2, 2, 100.0), (2, 3, 6.0)]:
        agent = Agent("cover-halving", range(labels), features=features, D=complexity)
        inside = int(agent._player.learner.alive.sum())
        bound = bounds.cover_halving(labels=labels, features=features, complexity=complexity)
        assert labels * math.log(inside) <= bound


def test_the_better_of_both_scales_is_used():
    """Rows that are hardly separable: margin 1 takes long weights, a little loss does not."""
    near = Measure(loss=300.0, complexity=700.0, least_margin=0.03, radius=1.0, rounds=20_000)
    theorem = bounds.find("perceptron")
    assert smallest_bound(theorem, {}, near) == (1000 + math.sqrt(210_000), (300.0, 700.0))
    far = near._replace(least_margin=0.99)
    assert smallest_bound(theorem, {}, far)[0] == pytest.approx(700 / 0.99**2)
    assert len(near._replace(least_margin=-1.0).pairs) == 1


@pytest.mark.compiled
def test_a_fit_does_not_take_what_it_finds(synsep):
    _, found = synsep
    with pytest.raises(BadInput, match="--fit finds complexity and rounds itself"):
        evaluate_fitted_bound("banditron", {"rounds": 5, "complexity": 5}, None, None, found)
