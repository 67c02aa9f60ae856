"""Lemmas 4 and 5 of Kakade et al. 2008, on the Banditron's update, in exact expectation."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from onebit.agent.agent import Agent
from onebit.kernel import engine
from onebit.kernel.round import Bit
from onebit.kernel.rows import Dense


def updates(k, gamma, x, greedy, truth, update="paper"):
    """Return the probability and the update matrix (features, labels) of every played label."""
    agent = Agent("banditron", range(k), features=len(x), gamma=gamma, update=update)
    found = []
    for label in range(k):
        prob = gamma / k + (1 - gamma if label == greedy else 0.0)
        agent._player.learner.weights[:] = 0.0
        engine.teach(agent._player, Dense(x), greedy, label, prob, Bit(label == truth))
        found.append((prob, agent._player.learner.weights.copy()))
    return found


cases = st.integers(2, 8).flatmap(
    lambda k: st.tuples(st.just(k), st.integers(0, k - 1), st.integers(0, k - 1))
)
rows = st.lists(st.floats(-10, 10), min_size=1, max_size=4).map(np.array)


@settings(max_examples=60)
@given(
    case=cases,
    gamma=st.floats(1e-4, 0.999),
    x=rows,
    update=st.sampled_from(["paper", "played", "known"]),
)
def test_lemma_4_the_update_is_unbiased(case, gamma, x, update):
    k, greedy, truth = case
    expected = np.zeros((len(x), k))
    expected[:, truth] += x
    expected[:, greedy] -= x
    found = updates(k, gamma, x, greedy, truth, update)
    mean = sum(prob * change for prob, change in found)
    # rounding: P(y) (1/P(y)) x, and sums of k terms of size |x|
    assert np.abs(mean - expected).max() <= 1e-12 * max(1.0, np.abs(x).max())


@settings(max_examples=60)
@given(case=cases, gamma=st.floats(1e-4, 0.5), x=rows)
def test_lemma_5_the_squared_norm_is_bounded(case, gamma, x):
    k, greedy, truth = case
    square = sum(prob * (update**2).sum() for prob, update in updates(k, gamma, x, greedy, truth))
    norm = (x**2).sum()
    bound = 2 * norm * (k / gamma if truth != greedy else gamma)
    assert square <= bound * (1 + 1e-12)


def test_lemma_5_is_nearly_tight():
    """If the greedy label is right, the value is more than half of the bound."""
    x = np.ones(1)
    square = sum(prob * (u**2).sum() for prob, u in updates(50, 0.4, x, 0, 0))
    assert square > 0.5 * 2 * 0.4
