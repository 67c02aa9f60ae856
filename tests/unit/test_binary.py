"""Two labels, as in the lectures: the perceptron, Winnow, their bounds, and input errors."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onebit import Agent, BadInput, Remark
from onebit.kernel.block import noiseless_block
from onebit.kernel.rng import key, uniform
from onebit.kernel.rows import DenseRows
from onebit.naming.spec import Spec
from onebit.streams.datasets.vote import Vote, draw_weights
from onebit.streams.opening import open_stream


def game(learner, rows, truths, **params):
    """Play rows whose truth is +1 or -1; return the agent and which rounds it missed."""
    agent = Agent(learner, [1, -1], features=rows.shape[1], seed=3, **params)
    numbers = np.array([0 if y > 0 else 1 for y in truths], np.int32)
    return agent, agent.play(noiseless_block(DenseRows(rows), numbers))


def binary_perceptron(rows, truths):
    """Dekel's lecture: predict sign(w.x), where sign(0) = +1; on a mistake w += y x."""
    w, missed = [0.0] * rows.shape[1], []
    for x, y in zip(rows.tolist(), truths, strict=True):
        total = 0.0
        for weight, value in zip(w, x, strict=True):
            total += weight * value
        missed.append((1 if total >= 0 else -1) != y)
        if missed[-1]:
            w = [weight + y * value for weight, value in zip(w, x, strict=True)]
    return w, missed


@settings(max_examples=40)
@given(data=st.data(), d=st.integers(1, 5), n=st.integers(1, 40))
def test_the_perceptron_on_two_labels_is_the_binary_perceptron(data, d, n):
    values = st.sampled_from([0.0, 1.0, -1.0, 0.25, -3.5])  # sums of these are exact
    rows = np.array(data.draw(st.lists(st.lists(values, min_size=d, max_size=d), min_size=n,
                                       max_size=n)))  # fmt: skip
    truths = data.draw(st.lists(st.sampled_from([1, -1]), min_size=n, max_size=n))
    agent, missed = game("perceptron:ties=first", rows, truths)
    w, expected = binary_perceptron(rows, truths)
    assert missed.tolist() == expected
    assert agent._player.learner.weights[:, 0].tolist() == w
    assert agent._player.learner.weights[:, 1].tolist() == [-value for value in w]


def separable(seed, d, n, margin, positive=False):
    """Return rows in [-1, 1]^d, the weights of absolute sum 1 that label them, and the labels.

    Rows nearer to the border than the margin are drawn again.
    """
    source, at = key(seed, "test rows"), 0
    weights = np.array([uniform(source, j) - (0.0 if positive else 0.5) for j in range(d)]) ** 3
    weights /= np.abs(weights).sum()
    rows = []
    while len(rows) < n:
        at += d
        x = np.array([2 * uniform(source, at + j) - 1 for j in range(d)])
        if abs(weights @ x) >= margin:
            rows.append(x)
    rows = np.array(rows)
    return rows, weights, np.where(rows @ weights > 0, 1, -1)


def test_novikoffs_bound_holds():
    """M <= (R / margin)^2, R the largest norm and the margin that of unit weights."""
    for seed in range(20):
        rows, weights, truths = separable(seed, d=2 + seed % 7, n=1000, margin=0.2)
        _, missed = game("perceptron", rows, truths)
        margin = (truths * (rows @ weights)).min() / np.linalg.norm(weights)
        bound = (np.linalg.norm(rows, axis=1).max() / margin) ** 2
        assert missed.sum() <= bound < len(rows) / 4  # without learning, half of them are mistakes


def test_novikoffs_bound_needs_the_2_norm():
    """With the largest value in place of the norm, as one lecture prints it, it is broken."""
    rows, truths = votes(width=100, voters=3, n=2000)
    _, missed = game("perceptron", rows, truths)
    margin = 1 / math.sqrt(3)  # of unit weights on three voters
    assert (1 / margin) ** 2 < missed.sum() <= (10 / margin) ** 2


def votes(n, seed=0, **params):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("onebit.streams.datasets.vote.BLOCK", n)
        block = next(open_stream(str(Spec("vote", params)), seed).blocks())
    return block.rows.values, np.where(block.truths.labels == 0, 1, -1)


def winnow_bound(d, eta, margin, radius):
    return math.log(d) / (eta * margin - math.log(math.cosh(eta * radius)))


@pytest.mark.compiled
@pytest.mark.parametrize("signed", ["yes", "no"])
def test_winnows_corrected_bound_is_never_exceeded(signed):
    """40 runs with known weights: eta from the margin, and in turn half and 1.5 times that."""
    for seed in range(20):
        width, radius = 5 + 4 * seed, 1.0 + seed % 3
        rows, truths = votes(1500, seed, width=width, voters=3, signed=signed)
        rows, margin = rows * radius, radius / 3.0
        best = math.log((radius + margin) / (radius - margin)) / (2 * radius)
        for eta in (best, best * (0.5, 1.5)[seed % 2]):
            _, missed = game("winnow", rows, truths, signed=signed, radius=radius, margin=margin,
                             eta=eta)  # fmt: skip
            features = 2 * width if signed == "yes" else width
            bound = winnow_bound(features, eta, margin, radius)
            assert (
                missed.sum() <= bound < len(rows) / 4
            )  # without learning, half of them are mistakes
        assert winnow_bound(features, best, margin, radius) <= (
            2 * (radius / margin) ** 2 * math.log(features)
        )


@pytest.mark.compiled
def test_irrelevant_features_cost_winnow_less_than_the_perceptron():
    counts = {}
    for width in (50, 800):
        rows, truths = votes(width=width, voters=3, n=1250)
        for learner in ("winnow:margin=0.333", "perceptron"):
            counts[learner, width] = game(learner, rows, truths)[1].sum()
            assert counts[learner, width] > 0
    assert counts["winnow:margin=0.333", 800] < 3 * counts["winnow:margin=0.333", 50]
    assert counts["perceptron", 800] > 5 * counts["perceptron", 50]
    assert counts["winnow:margin=0.333", 800] <= 2 * 9 * math.log(1600)


def test_the_voters_decide():
    for signed, values in (("yes", "signs"), ("no", "bits")):
        vote = Vote(signed=signed, values=values)
        weights = draw_weights(vote, 5)
        assert np.abs(weights).sum() == 3
        rows, truths = votes(500, seed=5, signed=signed, values=values)
        assert set(np.unique(rows)) == ({0.0, 1.0} if values == "bits" else {-1.0, 1.0})
        if values == "bits":
            assert (rows[:, -1] == 1).all()
            weights[-1] = -weights.sum() / 2
        margin = 1 / 3 if values == "signs" else 1 / 9
        assert (truths * (rows @ weights) / np.abs(weights).sum()).min() >= margin - 1e-12
    _, noisy = votes(500, seed=5, noise=0.25)
    _, clean = votes(500, seed=5)
    assert 0.15 < (noisy != clean).mean() < 0.35
    for bad in ("vote:voters=4", "vote:width=3,voters=3"):
        with pytest.raises(BadInput, match="Vote: voters must be an odd number below width"):
            open_stream(bad, 0)


def test_winnow_takes_two_labels_and_a_margin_below_its_radius():
    with pytest.raises(BadInput, match=r"^Winnow: it takes 2 labels, got 3\.$"):
        Agent("winnow", labels=[1, 2, 3], features=2)
    with pytest.raises(BadInput, match=r"^Winnow: margin must be below radius=1, got 1\.$"):
        Agent("winnow", labels=[1, -1], features=2, margin=1)
    with pytest.raises(BadInput, match=r"^Winnow: eta must be at most 100 / radius, got 60\.$"):
        Agent("winnow", labels=[1, -1], features=2, eta=60, radius=2)


def test_a_row_beyond_the_radius_is_one_sentence_and_changes_nothing():
    agent = Agent("winnow", labels=[1, -1], features=2, seed=1)
    agent.learn(agent.decide([1, -1]), truth=-1)
    before = agent._player.learner.weights.tobytes()
    with pytest.raises(BadInput, match=r"Winnow: no \|x_j\| may be above radius=1, got 1.5;"):
        agent.decide([0, -1.5])
    with pytest.raises(BadInput, match="radius=1, got 3"):
        agent.play(
            noiseless_block(DenseRows(np.array([[1.0, 3.0], [0.0, 9.0]])), np.zeros(2, np.int32))
        )
    assert agent._player.learner.weights.tobytes() == before
    agent.learn(agent.decide([1, -1]), truth=1)


def test_rows_without_negative_values_warn_once():
    rows, truths = votes(200, values="bits")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        agent, missed = game("winnow:signed=no,ties=first", rows, truths)
        agent.learn(agent.decide(rows[0]), truth=-1)
    (remark,) = seen
    assert remark.category is Remark
    assert "can only say the first label, which is +1; give signed=yes." in str(remark.message)
    assert remark.filename == __file__
    assert missed.tolist() == (truths == -1).tolist()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        game("winnow:signed=yes", rows, truths)
        game("winnow:signed=no", np.vstack([rows, -rows]), np.tile(truths, 2))
        game("winnow:signed=no,ties=first", rows, np.ones(200))
