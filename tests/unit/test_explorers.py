"""Explorers: the probabilities of their formulas."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pace import some

from onebit.agent.agent import Agent
from onebit.explorers.epsilon import Epsilon
from onebit.explorers.greedy import Greedy
from onebit.explorers.proportional import Proportional
from onebit.explorers.softmax import Softmax
from onebit.explorers.uniform import Uniform
from onebit.kernel.exploration import AllLabels, Situation, explore

scores = st.lists(st.floats(-50, 50), min_size=2, max_size=6).map(np.array)


def probs(explorer, scores):
    greedy = int(scores.argmax())
    out = np.empty(len(scores))
    explore(explorer, Situation(None, None, AllLabels(len(scores)), scores, 1), greedy, out)
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
