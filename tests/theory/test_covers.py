"""Theorems 7 and 8: halving on a cover of the linear separators, and random projections."""

import math

import numpy as np
import pytest
from oracles.test_oracles import assert_equals_oracle

from onebit import Agent
from onebit.errors import BadInput
from onebit.kernel.block import noiseless_block
from onebit.kernel.rng import key, uniform
from onebit.kernel.rows import DenseRows
from onebit.kernel.sizes import Sizes
from onebit.kernel.verbs import entry
from onebit.learners.cover_halving import Cover
from onebit.streams import Stream
from onebit.streams.opening import open_stream
from onebit.streams.transforms.project import Project
from onebit.theory import bounds
from onebit.theory.covers import projection


def separable(k, d, D, rounds, seed):
    """Draw weights of complexity D, and unit rows to which they give a margin of 1."""
    chance = np.random.default_rng(seed)
    while True:
        W = chance.normal(size=(k, d))
        W *= math.sqrt(D / 2) / np.linalg.norm(W)
        x = chance.normal(size=(40 * rounds, d))
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        scores = x @ W.T
        top = np.sort(scores, axis=1)
        wide = top[:, -1] - top[:, -2] >= 1.0
        truths = scores.argmax(axis=1).astype(np.int32)
        if wide.sum() >= rounds and len(set(truths[wide])) == k:
            return W, np.ascontiguousarray(x[wide][:rounds]), truths[wide][:rounds]


CASES = [(2, 2, 100.0, 21**4, 400), (3, 2, 50.0, 15**6, 60)]


@pytest.mark.compiled
@pytest.mark.parametrize(("k", "d", "D", "size", "rounds"), CASES)
def test_theorem_7(k, d, D, size, rounds):
    cover = Cover.of(D, Sizes(d, k))
    assert cover.size == size
    for seed in range(2 if size < 10**6 else 1):
        W, rows, truths = separable(k, d, D, rounds, seed)
        agent = Agent("cover-halving", range(k), features=d, D=D, seed=seed)
        learner = agent._player.learner
        inside = int(learner.alive.sum())
        assert inside < size / 2
        mistakes = int(agent.play(noiseless_block(DenseRows(rows), truths)).sum())
        assert 1 <= mistakes <= k * math.log(inside)

        # the rounded separator is alive, and always right
        steps = np.floor(W / cover.spacing + 0.5)
        assert ((rows @ (steps * cover.spacing).T).argmax(axis=1) == truths).all()
        side = 2 * cover.side + 1
        place = np.ravel_multi_index((steps + cover.side).astype(int).ravel(), (side,) * (k * d))
        assert learner.alive.ravel()[place]


def test_covers_that_are_too_large_raise_with_their_size():
    with pytest.raises(BadInput) as error:
        Agent("cover-halving", range(3), features=3, D=50)
    assert str(error.value) == (
        "CoverHalving: the grid for D = 50, 3 features and 3 labels must have at most 20,000,000"
        f" points, got {19**9:,}."
    )
    with pytest.raises(BadInput, match=r"got about 1e\d+\."):
        Agent("cover-halving", range(9), features=400, D=80)


def test_rows_that_no_weights_of_this_complexity_separate_raise():
    agent = Agent("cover-halving", [0, 1], features=2, D=3)
    rows = np.tile([0.6, 0.8], (40, 1))
    truths = (np.arange(40) % 2).astype(np.int32)
    with pytest.raises(BadInput, match=r"no weights are left after round \d+ .* with D = 3\."):
        agent.play(noiseless_block(DenseRows(rows), truths))


def test_rows_longer_than_1_raise_and_change_nothing():
    agent = Agent("cover-halving", [0, 1], features=2, D=12)
    alive = agent._player.learner.alive.copy()
    with pytest.raises(BadInput, match=r"a row must have a norm of at most 1, got 5; --with unit"):
        agent.decide([3.0, 4.0])
    rows = np.array([[3.0, 4.0], [6.0, 8.0]])
    with pytest.raises(BadInput, match=r"a row must have a norm of at most 1, got 5; --with unit"):
        agent.play(noiseless_block(DenseRows(rows), np.zeros(2, np.int32)))
    assert (agent._player.learner.alive == alive).all()


def synsep(n, seed):
    """Return n rows of SYNSEP, scaled to norm 1, and their labels."""
    rows, truths = [], []
    for block in open_stream("synsep", seed).blocks():
        dense = np.zeros((block.rounds, 400))
        for i in range(block.rounds):
            start, stop = block.rows.starts[i : i + 2]
            dense[i, block.rows.indices[start:stop]] = block.rows.values[start:stop]
        rows.append(dense)
        truths.append(block.truths.labels)
        if sum(map(len, truths)) >= n:
            break
    rows = np.concatenate(rows)[:n]
    return rows / np.linalg.norm(rows, axis=1, keepdims=True), np.concatenate(truths)[:n]


def margins(W, rows, truths):
    """Return by how much the right label's score exceeds the best of the others."""
    scores = rows @ W.T
    right = scores[np.arange(len(rows)), truths].copy()
    scores[np.arange(len(rows)), truths] = -np.inf
    return right - scores.max(axis=1)


@entry
def tighten(W, rows, rights, wrongs, duals, sweeps):
    """Project W onto one constraint after the other, keeping the dual variables nonnegative."""
    for _ in range(sweeps):
        for n in range(duals.shape[0]):
            a, b, gap = rights[n], wrongs[n], 0.0
            for j in range(rows.shape[1]):
                gap += (W[a, j] - W[b, j]) * rows[n, j]
            step = max((1.0 - gap) / 2.0, -duals[n])
            duals[n] += step
            for j in range(rows.shape[1]):
                W[a, j] += step * rows[n, j]
                W[b, j] -= step * rows[n, j]


def separator(rows, truths, k):
    """Return short weights that give every row a margin of 1.

    Hildreth's method for the shortest ones, on the pairs of a row and a wrong label that are
    worst; pairs that do not matter any more are dropped.
    """
    W, duals = np.zeros((k, rows.shape[1])), {}
    for _ in range(200):
        gaps = margins(W, rows, truths)
        if gaps.min() > 0.97:
            break
        for i in np.argsort(gaps)[:200].tolist():
            scores = rows[i] @ W.T
            scores[truths[i]] = -np.inf
            duals.setdefault((i, int(scores.argmax())), 0.0)
        places = [i for i, _ in duals]
        wrongs = np.array([r for _, r in duals], np.int32)
        values = np.array(list(duals.values()))
        tighten(W, rows[places], truths[places], wrongs, values, 50)
        duals = {p: v for p, v in zip(duals, values.tolist(), strict=True) if v > 0.0}
    return W / margins(W, rows, truths).min()


def least_margin(W, rows, truths, dimensions, seed):
    """Return the least margin after a projection by random signs, longer rows cut to norm 1."""
    source = key(seed, "test of Theorem 8")
    d = rows.shape[1]
    signs = np.array([uniform(source, n) < 0.5 for n in range(d * dimensions)])
    P = np.where(signs, 1.0, -1.0).reshape(d, dimensions) / math.sqrt(dimensions)
    projected = rows @ P
    projected /= np.maximum(1.0, np.linalg.norm(projected, axis=1, keepdims=True))
    return margins(W @ P, projected, truths).min()


@pytest.mark.compiled
@pytest.mark.long
def test_theorem_8_margins_survive_enough_dimensions():
    rows, truths = synsep(20_000, 0)
    W = separator(rows, truths, 9)
    assert margins(W, rows, truths).min() == pytest.approx(1.0)
    assert 2 * (W**2).sum() < 110  # short weights: about 81 is the least
    assert min(least_margin(W, rows, truths, 400, seed) for seed in range(8)) >= 1 / 3
    assert max(least_margin(W, rows, truths, 100, seed) for seed in range(8)) < 1 / 3


def two_topics(rounds, seed):
    """Return a stream of unit rows in 100 dimensions: noise around a direction or its opposite."""
    chance = np.random.default_rng(seed)
    topic, truths = chance.normal(size=100), chance.integers(0, 2, rounds).astype(np.int32)
    rows = np.where(truths == 0, 1.0, -1.0)[:, None] * topic + 0.1 * chance.normal(
        size=(rounds, 100)
    )
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return Stream([0, 1], 100, rounds, lambda: iter([noiseless_block(DenseRows(rows), truths)]))


def complexity(rows, truths):
    """Return the least D of weights (w, -w) with margin 1 in the plane, over a thousand angles."""
    angles = np.linspace(0.0, 2.0 * math.pi, 1000)
    ways = np.array([np.cos(angles), np.sin(angles)])
    widest = (np.where(truths == 0, 1.0, -1.0)[:, None] * (rows @ ways)).min(axis=0).max()
    return 1.0 / widest**2 if widest > 0.0 else math.inf


@pytest.mark.compiled
def test_a_projection_makes_wide_rows_feasible():
    """The projected form of Theorem 7: where the projection keeps a margin, so does the bound."""
    kept = 0
    for seed in range(10):
        (block,) = Project(n=2).apply(two_topics(300, seed), seed, 0).blocks()
        D = complexity(block.rows.values, block.truths.labels) * 1.01
        if D < 60.0:
            kept += 1
            agent = Agent("cover-halving", [0, 1], features=2, D=D, seed=seed)
            inside = int(agent._player.learner.alive.sum())
            mistakes = int(agent.play(block).sum())
            assert mistakes <= 2 * math.log(inside)
    assert kept >= 5


def test_projected_halving_equals_its_oracle_on_wide_rows():
    (block,) = two_topics(60, 3).blocks()
    assert_equals_oracle("projected-halving", block.rows.values, block.truths.labels, 2, 5,
                         D=1.5, dimension=2)  # fmt: skip


def test_the_projection_of_theorem_8_keeps_half_of_a_margin():
    """Rows cut to norm 1 and weights scaled to margin 1 have complexity 9 D at most."""
    chance = np.random.default_rng(0)
    W, truths = chance.normal(size=(3, 300)), chance.integers(0, 3, 100)
    rows = W[truths] + 0.2 * chance.normal(size=(100, 300))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    W /= margins(W, rows, truths).min()
    D = 2 * (W**2).sum()
    found = projection(3, 100, D, 0.05)
    assert found.dimension > 1000
    assert found.complexity == pytest.approx(9 * D)
    for seed in range(3):
        signs = np.random.default_rng(seed).choice([-1.0, 1.0], (300, found.dimension))
        P = signs / math.sqrt(found.dimension)
        projected = rows @ P
        projected /= np.maximum(1.0, np.linalg.norm(projected, axis=1, keepdims=True))
        least = margins(W @ P, projected, truths).min()
        assert least > 0
        assert 2 * (((W @ P) / least) ** 2).sum() <= found.complexity


def test_projected_halving_takes_rows_that_are_narrow_as_they_are():
    _, rows, truths = separable(2, 2, 30.0, 100, 1)
    block = noiseless_block(DenseRows(rows), truths)
    learners = ("projected-halving", "cover-halving")
    one, two = (Agent(name, [0, 1], features=2, D=30, seed=4).play(block) for name in learners)
    assert one.tolist() == two.tolist()
    assert one.sum() <= bounds.projected_halving(
        labels=2, rounds=100, features=2, complexity=30, delta=0.05
    )


def test_projected_halving_says_how_large_the_cover_of_theorem_8_would_be():
    with pytest.raises(BadInput) as error:
        Agent("projected-halving", range(9), features=10**6, D=81)
    assert str(error.value) == (
        "ProjectedHalving: the grid for D = 729, 21668 dimensions and 9 labels must have at most"
        " 20,000,000 points, got about 1e732128."
    )
    with pytest.raises(BadInput, match=r"a row must have a norm of at most 1, got 5; --with unit"):
        Agent("projected-halving", [0, 1], features=9, D=1, dimension=1).decide(
            [3.0, 4.0] + 7 * [0]
        )
