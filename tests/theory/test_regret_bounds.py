"""Exponential weights: regret below the bound, on random labels and on an adversary's alternation.

The bounds are on expectations (or hold with probability .95); they are so far above what is
seen that means over 12 seeds are judged as they are.
"""

import math

import numpy as np
import pytest

from onebit import Agent
from onebit.kernel.block import noiseless_block
from onebit.kernel.rows import DenseRows

pytestmark = pytest.mark.compiled

T, K, N, SEEDS = 4000, 4, 16, 12


def random_labels(seed):
    """Labels drawn with shares .55 .15 .15 .15: random play has regret .3 T."""
    chance = np.random.default_rng(seed)
    return chance.choice(K, T, p=[0.55, 0.15, 0.15, 0.15]).astype(np.int32)


def alternating_labels(seed):
    """Labels 1 0 1 0 ...: follow the leader has regret T / 2."""
    return (np.arange(1, T + 1) % 2).astype(np.int32)


def random_advice(seed):
    """Hypothesis 5 is right in .8 of the rounds, the others guess."""
    chance = np.random.default_rng(seed)
    truths = chance.integers(0, K, T).astype(np.int32)
    advice = chance.integers(0, K, (T, N)).astype(float)
    knows = chance.random(T) < 0.8
    advice[knows, 5] = truths[knows]
    return advice, truths


def alternating_advice(seed):
    """Hypothesis i always predicts label i mod K; the truth alternates between 1 and 0."""
    return np.tile(np.arange(N) % K, (T, 1)).astype(float), alternating_labels(seed)


def regrets(learner, game, seeds=SEEDS, **params):
    """Return mistakes beyond the best fixed choice in hindsight, for each seed."""
    found = []
    for seed in range(seeds):
        drawn = game(seed)
        if isinstance(drawn, tuple):
            advice, truths = drawn
            best = (advice != truths[:, None]).sum(axis=0).min()
        else:
            advice, truths = np.zeros((T, 1)), drawn
            best = T - np.bincount(truths).max()
        agent = Agent(learner, range(K), features=advice.shape[1], seed=seed, **params)
        missed = agent.play(noiseless_block(DenseRows(advice), truths))
        found.append(int(missed.sum()) - int(best))
    return np.array(found)


root = math.sqrt(K * T * math.log(K))
delta = 0.05
BOUNDS = {
    ("exp3", T): math.sqrt(2) * root,
    ("exp3", "auto"): 2 * root,
    ("exp3ix", T): 2 * math.sqrt(2) * root
    + (math.sqrt(2 * K * T / math.log(K)) + 1) * math.log(2 / delta),
    ("exp3ix", "auto"): 4 * root
    + (2 * math.sqrt(K * T / math.log(K)) + 1) * math.log(2 / delta),
    ("exp3p", T): 5.15 * math.sqrt(T * K * math.log(K / delta)),
}  # fmt: skip
ADVICE_BOUNDS = {
    ("weighted-majority", T): math.sqrt(2 * T * math.log(N)),
    ("weighted-majority", "auto"): math.sqrt(2 * T * math.log(N)),
    ("exp4", T): math.sqrt(2 * K * T * math.log(N)),
    ("exp4", "auto"): 2 * math.sqrt(K * T * math.log(N)),
}


@pytest.mark.parametrize(("learner", "rounds"), BOUNDS)
@pytest.mark.parametrize("game", [random_labels, alternating_labels])
def test_labels(learner, rounds, game):
    found = regrets(learner, game, rounds=rounds)
    bound = BOUNDS[learner, rounds]
    assert found.mean() < bound
    if learner != "exp3":  # with high probability, so each run by itself
        assert found.max() < bound


@pytest.mark.parametrize(("learner", "rounds"), ADVICE_BOUNDS)
@pytest.mark.parametrize("game", [random_advice, alternating_advice])
def test_advice(learner, rounds, game):
    assert regrets(learner, game, rounds=rounds).mean() < ADVICE_BOUNDS[learner, rounds]


def test_the_games_are_hard_enough_to_break_the_bounds():
    """Random play exceeds the bound on random labels, follow the leader on alternating ones."""
    exp3, wm, exp4 = (
        BOUNDS["exp3", T],
        *(ADVICE_BOUNDS[n, T] for n in ("weighted-majority", "exp4")),
    )
    assert regrets("uniform", random_labels).mean() > 2 * exp3
    assert regrets("majority", alternating_labels, 1, ties="first").mean() > 2 * exp3
    assert regrets("uniform", random_advice).mean() > 2 * max(wm, exp4)
    leader = regrets("weighted-majority", alternating_advice, 1, rounds=1, explorer="greedy")
    assert leader.mean() > 2 * max(wm, exp4)


def test_exp3_does_better_than_its_bound_on_random_labels():
    assert regrets("exp3", random_labels, rounds=T).mean() < 0.2 * T


def test_a_weight_that_underflows_recovers_when_the_others_fall_behind():
    n = 6000
    advice = np.tile([0.0, 1.0], (n, 1))
    truths = np.array([0] * 2000 + [1] * 4000, np.int32)
    agent = Agent("weighted-majority", [0, 1], features=2, seed=1, rounds=1)
    agent.play(noiseless_block(DenseRows(advice[:2000]), truths[:2000]))
    assert agent._player.learner.weights.tolist() == [1.0, 0.0]
    missed = agent.play(noiseless_block(DenseRows(advice[2000:]), truths[2000:]))
    assert missed[:1990].all()
    assert not missed[2050:].any()


@pytest.mark.parametrize("learner", ["exp3", "exp3p", "exp3ix", "exp4", "weighted-majority"])
def test_weights_stay_finite_at_the_highest_rate(learner):
    advice, truths = random_advice(0)
    agent = Agent(learner, range(K), features=N, seed=1, rounds=1)
    agent.play(noiseless_block(DenseRows(advice), truths))
    weights = agent._player.learner.weights
    assert np.isfinite(weights).all()
    assert 1e-30 <= weights.max() <= 1.0
