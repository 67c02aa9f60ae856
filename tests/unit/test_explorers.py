"""Explorers: the probabilities of their formulas."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pace import some

from onebit.agent.agent import Agent
from onebit.errors import BadParameter
from onebit.explorers.decaying_epsilon import DecayingEpsilon
from onebit.explorers.epsilon import Epsilon
from onebit.explorers.fastcb import Fastcb
from onebit.explorers.gap import Gap
from onebit.explorers.greedy import Greedy
from onebit.explorers.mixed import Mixed
from onebit.explorers.proportional import Proportional
from onebit.explorers.softmax import Softmax
from onebit.explorers.squarecb import Squarecb
from onebit.explorers.uniform import Uniform
from onebit.kernel.exploration import AllLabels, Situation, explore

scores = st.lists(st.floats(-50, 50), min_size=2, max_size=6).map(np.array)


estimates = st.lists(st.floats(0, 1), min_size=2, max_size=6).map(np.array)


def probs(explorer, scores, round=1):
    greedy = int(scores.argmax())
    out = np.empty(len(scores))
    explore(explorer, Situation(None, None, AllLabels(len(scores)), scores, round), greedy, out)
    return out, greedy


@given(scores, st.floats(0.001, 0.999))
def test_formulas(z, gamma):
    k = len(z)
    out, greedy = probs(Epsilon(gamma), z)
    expected = [gamma / k + (1 - gamma) * (label == greedy) for label in range(k)]
    assert np.allclose(out, expected, rtol=1e-15)
    assert probs(Greedy(), z)[0].tolist() == [float(label == greedy) for label in range(k)]
    assert probs(Uniform(), z)[0].tolist() == [1 / k] * k
    out, _ = probs(Softmax(2.0), z)
    raw = [math.exp((value - z.max()) / 2.0) for value in z.tolist()]
    assert np.allclose(out, np.array(raw) / sum(raw), rtol=1e-12)
    assert abs(out.sum() - 1) < 1e-12


@pytest.mark.parametrize("explorer", ["epsilon", "greedy", "softmax", "uniform"])
def test_the_played_labels_follow_the_probabilities(explorer):
    """Frequencies over many rounds, within 5 standard errors."""
    n = some(20_000, 2000)
    agent = Agent("perceptron", range(3), features=1, seed=11, explorer=explorer)
    agent._player.learner.weights[0] = [0.0, 1.0, 0.5]
    expected = np.array(list(agent.probabilities([1.0]).values()))
    counts = np.bincount([agent.decide([1.0]).label for _ in range(n)], minlength=3)
    error = np.sqrt(expected * (1 - expected) / n)
    assert (np.abs(counts / n - expected) <= 5 * error + 1e-15).all()


def test_huge_scores_do_not_overflow():
    out, _ = probs(Softmax(1e-3), np.array([1e300, -1e300, 0.0]))
    assert out.tolist() == [1.0, 0.0, 0.0]


@given(scores)
def test_proportional_plays_in_proportion_to_scores(z):
    out, _ = probs(Proportional(), np.maximum(z, 0))
    positive = np.maximum(z, 0)
    expected = positive / positive.sum() if positive.any() else np.full(len(z), 1 / len(z))
    assert np.allclose(out, expected, rtol=1e-12)


@given(estimates, st.integers(1, 10**9))
def test_squarecb_and_fastcb_play_by_their_formulas(f, t):
    k, best = len(f), f.max()
    g = 10 * math.sqrt(t)
    square, greedy = probs(Squarecb(10.0), f, t)
    fast, _ = probs(Fastcb(10.0), f, t)
    for label in set(range(k)) - {greedy}:
        assert square[label] == pytest.approx(1 / (k + g * (best - f[label])))
        if f[label] < best:
            expected = (1 - best) / (k * (1 - best) + g * (best - f[label]))
            assert fast[label] == pytest.approx(expected, abs=1e-300)
        else:
            assert fast[label] == 1 / k
    for out in (square, fast):
        assert (out >= 0).all()
        assert out[greedy] >= 1 / k - 1e-12
        assert out.sum() == pytest.approx(1, abs=1e-12)


def test_fastcb_plays_uniformly_where_every_label_is_surely_right():
    assert probs(Fastcb(10.0), np.ones(4))[0].tolist() == [0.25] * 4


@given(scores, st.integers(1, 10**9))
def test_decaying_epsilon_explores_less_in_every_round(z, t):
    out, greedy = probs(DecayingEpsilon(0.5, 0.5), z, t)
    share = 0.5 / math.sqrt(t)
    expected = [share / len(z) + (1 - share) * (label == greedy) for label in range(len(z))]
    assert np.allclose(out, expected, rtol=1e-12)


@pytest.mark.parametrize("explorer", ["fastcb", "squarecb", "optimism"])
def test_an_explorer_that_needs_estimates_refuses_margins(explorer):
    with pytest.raises(BadParameter, match=f"Banditron: the explorer {explorer} needs scores that"):
        Agent("banditron", range(3), explorer=explorer)
    Agent("softmax", range(3), explorer=explorer)


def test_an_explorer_that_needs_widths_refuses_learners_without():
    with pytest.raises(
        BadParameter,
        match="Softmax: the explorer ucb needs a confidence width",
    ):
        Agent("softmax", range(3), explorer="ucb")


def test_optimism_plays_by_its_formulas():
    """Against the lines of its page, over rounds with feedback, then on one row."""
    agent = Agent("softmax", range(3), features=2, seed=3, explorer="optimism", bonus=2.0)
    counts, rounds = np.zeros((2, 3)), np.zeros(3)
    for n in range(60):
        x = np.array([1.0 + n % 2, 0.5 * (n % 3)])
        choice = agent.decide(x)
        agent.learn(choice, correct=choice.label == n % 2)
        counts[:, choice.label] += x**2
        rounds[choice.label] += 1
    explorer = agent._player.explorer
    assert np.allclose(explorer.counts[:2, :3], counts)
    assert np.array_equal(explorer.rounds, rounds)
    x = np.array([2.0, 0.5])
    out = np.array(list(agent.probabilities(x).values()))
    q = agent._player.scores.clip(1e-6, 1 - 1e-6)
    r = ((x**2)[:, None] / (1 + counts)).sum(axis=0) + 1 / (1 + rounds)
    odds = np.log(q / (1 - q)) + 2.0 * math.log(3) * r / (1 + (x**2).sum())
    f = 1 / (1 + np.exp(-odds))
    expected, _ = probs(Fastcb(50.0), f, agent.round + 1)
    assert np.allclose(out, expected)


def test_optimism_shares_among_ties():
    agent = Agent("softmax", range(4), features=2, explorer="optimism")
    assert list(agent.probabilities([1.0, 2.0]).values()) == [0.25] * 4


@given(estimates)
def test_mixed_and_gap_play_by_their_formulas(f):
    k, best = len(f), f.max()
    out, greedy = probs(Mixed(0.1), f)
    share = f / f.sum() if f.any() else np.full(k, 1 / k)
    assert np.allclose(out, 0.9 * share + 0.1 / k)
    out, greedy = probs(Gap(0.1), f)
    a = max(1 - best if best >= 0.5 else 1.0, 0.1)
    assert np.allclose(out, [(1 - a) * (label == greedy) + a / k for label in range(k)])


def test_ucb_adds_the_width_of_each_label():
    agent = Agent("arow", range(3), features=2, explorer="ucb", width_scale=2.0)
    arow = agent._player.learner
    arow.weights[:] = [[0.5, 0.0, 0.0], [0.0, 0.0, 0.0]]
    arow.variances[:] = [[0.0, 0.05, 0.05], [1.0, 1.0, 0.5]]
    x = np.array([1.0, 0.0])
    assert list(agent.probabilities(x).values()) == [1.0, 0.0, 0.0]  # 2 sqrt(.05) = .45 < .5
    arow.variances[0, 1:] = 0.0625
    assert list(agent.probabilities(x).values()) == [1 / 3] * 3  # all bounds are .5
    x = np.array([1.0, 1.0])
    bounds = [0.5 + 2 * math.sqrt(1.0), 2 * math.sqrt(1.0625), 2 * math.sqrt(0.5625)]
    assert agent.probabilities(x)[int(np.argmax(bounds))] == 1.0
    assert agent.decide(x, among=[1, 2]).label == 1
