"""The extensions of the Banditron paper: other updates with the same unbiased estimate."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onebit import Agent, BadInput
from onebit.kernel import engine
from onebit.kernel.round import Bit, Label, Played
from onebit.kernel.rows import Dense

# rounded, so that no step is lost in the last digits of a weight
values = st.floats(-10, 10).map(lambda value: round(value, 3))
rows = st.lists(values, min_size=2, max_size=2).map(np.array)
weights = st.lists(values, min_size=6, max_size=6).map(lambda w: np.array(w).reshape(2, 3))


def after(learner, start, x, played, feedback, **params):
    """Return the weights after one round from given weights."""
    agent = Agent(learner, range(3), features=2, **params)
    agent._player.learner.weights[:] = start
    engine.teach(agent._player, Dense(x), *played, feedback)
    return agent._player.learner.weights - start


@settings(max_examples=60)
@given(x=rows, start=weights, gamma=st.floats(0.01, 0.9), truth=st.integers(0, 2))
def test_margin_bandits_step_is_unbiased_for_pa(x, start, gamma, truth):
    greedy = int((x @ start).argmax())
    probs = [gamma / 3 + (1 - gamma if label == greedy else 0.0) for label in range(3)]
    mean = sum(
        prob * after("margin-bandit", start, x, Played(greedy, label, prob), Bit(label == truth))
        for label, prob in enumerate(probs)
    )
    full = after("pa", start, x, Played(greedy, greedy, 1.0), Label(truth))
    # rounding: P (step / P) on top of weights of size 1
    assert np.abs(mean - full).max() <= 1e-12 * max(1.0, np.abs(full).max())


@given(x=rows, start=weights, truth=st.integers(0, 2))
def test_pa_reaches_a_margin_of_1_or_its_largest_step(x, start, truth):
    step = after("pa", start, x, Played(0, 0, 1.0), Label(truth), c=0.1)
    scores = x @ (start + step)
    rival = int(np.delete(np.arange(3), truth)[np.delete(x @ start, truth).argmax()])
    if step.any() and np.abs(step).max() < 0.1 * np.abs(x).max() * (1 - 1e-9):
        assert scores[truth] - scores[rival] == pytest.approx(1.0, abs=1e-9)
    assert np.abs(step).max() <= 0.1 * np.abs(x).max() * (1 + 1e-9)
    assert step[:, truth] == pytest.approx(-step[:, rival], abs=1e-12)  # rounding of start + step


def test_winnow_bandits_eta_follows_gamma_and_the_radius():
    def eta(**params):
        return Agent("winnow-bandit", range(4), features=2, **params)._player.learner.eta

    assert eta() == 0.05 / 4
    assert eta(gamma=0.2, radius=5.0) == 0.2 / 20
    assert eta(eta=0.3) == eta(eta=0.3, explorer="softmax") == 0.3
    with pytest.raises(
        BadInput, match=r"^WinnowBandit: eta must be a number .*softmax, got auto\.$"
    ):
        eta(explorer="softmax")


def test_winnow_bandits_weights_stop_at_a_finite_number():
    agent = Agent("winnow-bandit", range(2), features=1, eta=1.0)
    for _ in range(3000):
        engine.teach(agent._player, Dense(np.ones(1)), 0, 0, 0.5, Bit(True))
    assert 1e80 < agent._player.learner.weights[0, 0] < 1e100
