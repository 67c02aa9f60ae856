"""Learners with matrices: sizes that do not fit, rows of any size, and noise."""

import numpy as np
import pytest

from onebit import Agent, BadInput
from onebit.kernel.block import noiseless_block
from onebit.kernel.rows import DenseRows

WHOLE = ["confidit", "laplace", "newtron", "soba-full"]


@pytest.mark.parametrize("name", WHOLE)
def test_a_matrix_that_does_not_fit_is_refused_with_its_size(name):
    sentence = r"must fit into memory, got an array of .* GB\); .*would fit\.$"
    with pytest.raises(BadInput, match=sentence):
        Agent(name, range(40), features=200_000)


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["confidit", "laplace"])
def test_the_diagonal_form_fits(name):
    agent = Agent(name, range(4), features=200_000, form="diagonal")
    agent.learn(agent.decide(np.ones(200_000)), correct=True)


@pytest.mark.parametrize("name", WHOLE)
def test_rows_of_very_different_sizes_leave_a_usable_state(name):
    """Rounding must not leave a matrix that blows up: it stays bounded by its first values."""
    chance = np.random.default_rng(3)
    agent = Agent(name, range(3), features=4, seed=1)
    matrix = next(
        v for k, v in agent._player.learner._asdict().items() if k.startswith(("inv", "cov"))
    )
    most = np.abs(matrix).max()
    for n in range(200):
        x = chance.standard_normal(4) * 10.0 ** chance.integers(-90, 90)
        agent.learn(agent.decide(x), correct=bool(n % 3))
        assert np.abs(matrix).max() <= most * 1.01
        assert np.isfinite(agent._player.learner.weights).all()


def test_noise_breaks_separable():
    """As its page says: it stops erring without noise, and never on the same rows with noise."""
    chance = np.random.default_rng(0)
    truths = chance.integers(0, 3, 6000).astype(np.int32)
    rows = np.eye(3)[truths] + 0.0
    noisy = np.where(chance.random(6000) < 0.1, (truths + 1) % 3, truths).astype(np.int32)
    errors = [
        Agent("separable", range(3), features=3, seed=1)
        .play(noiseless_block(DenseRows(rows), labels))[3000:]
        .mean()
        for labels in (truths, noisy)
    ]
    assert errors[0] == 0.0
    assert errors[1] > 0.15  # the noise itself is .1
