"""BanditBoost stays finite over many rounds: at delta = 0.001 importance weights are thousands."""

import numpy as np
import pytest
from pace import some

from onebit import Agent
from onebit.kernel.block import noiseless_block
from onebit.kernel.rng import key, uniforms
from onebit.kernel.rows import DenseRows
from onebit.kernel.state import learned_arrays

ROUNDS, LENGTH = some(1_000_000, 2000), some(10_000, 1000)


@pytest.mark.parametrize(
    ("dtype", "voting", "weak"),
    [
        ("float64", "multiplicative", "perceptron"),
        ("float32", "gradient", "perceptron"),
        ("float32", "multiplicative", "naive-bayes"),
    ],
)
@pytest.mark.long
def test_voting_weights_stay_on_the_simplex_and_nothing_overflows(dtype, voting, weak):
    """Half of the labels are noise, so that every learner keeps making mistakes."""
    agent = Agent("banditboost", range(3), features=4, n=5, delta=0.001, eta=0.01,
                  dtype=dtype, step="literal", voting=voting, weak=weak, seed=3)  # fmt: skip
    chance = uniforms(key(3, "million"), 0, LENGTH * 6).reshape(LENGTH, 6)
    rows = DenseRows((chance[:, :4] < 0.5).astype(np.float64))
    noise = chance[:, 4] < 0.5
    truths = np.where(noise, chance[:, 5] * 3, rows.values[:, 0] + rows.values[:, 1])
    block, mistakes = noiseless_block(rows, truths.astype(np.int32)), 0
    for _ in range(ROUNDS // LENGTH):
        mistakes += int(agent.play(block).sum())
    learner = agent._player.learner
    assert learner.vote.rounds[0] == ROUNDS
    assert 0 < mistakes < ROUNDS
    for name, array in learned_arrays(learner).items():
        assert np.isfinite(array).all(), name
    assert (learner.vote.weights >= 0.0).all()
    np.testing.assert_allclose(learner.vote.weights.sum(axis=1), 1.0, atol=1e-9)
    assert learner.vote.weights.std() > 0.0
    for row in rows.values[:20]:
        agent.predict(row)
        assert np.isfinite(agent._player.scores).all()
