"""Every weak learner in every booster equals its oracle; Claim 1; the simplex."""

import numpy as np
import pytest
from oracles.banditboost import simplex, smooth_weights
from oracles.test_oracles import assert_equals_oracle
from pace import some

from onebit.agent.agent import Agent
from onebit.checks.easy_streams import easy_stream
from onebit.kernel import engine
from onebit.kernel.block import noiseless_block
from onebit.kernel.rng import key, uniform
from onebit.kernel.round import Bit
from onebit.kernel.rows import Dense, DenseRows
from onebit.kernel.sizes import NUMERIC, Column
from onebit.learners import weak
from onebit.learners.shared import boosting

COLUMNS = [Column(0, 3, 4), Column(4, 2, 2), Column(6, 4, 5), Column(12, 1, NUMERIC)]


def categories(n):
    """Rows of the columns above and three single bits; the label is a sum of values."""
    rows, truths = np.zeros((n, 13)), np.empty(n, np.int32)
    for t in range(n):
        draws = [uniform(key(0, "categories"), t * 8 + m) for m in range(8)]
        total = 0
        for (first, width, values), u in zip(COLUMNS[:3], draws, strict=False):
            if (value := int(u * values)) < width:
                rows[t, first + value] = 1.0
            total += value
        rows[t, [3, 10, 11]] = np.array(draws[3:6]) < 0.5
        truths[t] = (total + (draws[6] < 0.1)) % 3
        rows[t, 12] = truths[t] + draws[7] ** 2 - 3.0
    return rows, truths


@pytest.mark.parametrize("name", weak.names())
@pytest.mark.parametrize("params", [{"step": "smooth"}, {"step": "literal"}, {"eta": "adaptive"},
                                    {"step": "smooth", "start": "random", "voting": "gradient",
                                     "eta": 0.01}])  # fmt: skip
def test_banditboost_equals_its_oracle(name, params):
    rows, truths = categories(150)
    columns = COLUMNS if name == "naive-bayes" else ()
    assert_equals_oracle("banditboost", rows, truths, 3, 4, columns, weak=name, n=6, delta=0.2,
          advantage=0.2, **params)  # fmt: skip


@pytest.mark.parametrize("name", weak.names())
@pytest.mark.parametrize("params", [{"reading": "smooth"}, {"voting": "gradient"},
                                    {"reading": "literal", "start": "random"},
                                    {"eta": "adaptive", "voting": "gradient"}])  # fmt: skip
def test_boost_equals_its_oracle(name, params):
    rows, truths = categories(80)
    columns = COLUMNS if name == "naive-bayes" else ()
    assert_equals_oracle("boost", rows, truths, 3, 4, columns, weak=name, n=5, **params)


@pytest.mark.parametrize("base", weak.names())
@pytest.mark.parametrize("rule", ["all-if-correct", "played-only"])
def test_cova_equals_its_oracle(base, rule):
    rows, truths = categories(200)
    assert_equals_oracle(
        "cova", rows, truths, 3, 4, COLUMNS if base == "naive-bayes" else (), base=base, rule=rule
    )


def test_without_columns_every_feature_of_naive_bayes_has_two_values():
    rows, truths = categories(120)
    assert_equals_oracle("cova", rows[:, :12], truths, 3, 4, base="naive-bayes")


@pytest.mark.parametrize("voting", ["multiplicative", "gradient"])
@pytest.mark.parametrize("delta", [0.01, 0.7])
def test_claim_1_the_estimates_are_unbiased(voting, delta):
    """The expectation over all played labels is exact: of the weights, and of the gradient.

    Label k is played with probability p(k); the estimate is then 1 / p(k) times the
    quantity, else 0.
    """
    k, n, theta = 3, 5, 0.1 / 2.1
    rows, truths = categories(60)
    agent = Agent("banditboost", range(k), features=13, n=n, step="literal", voting=voting,
                  delta=min(delta, 0.1), seed=2)  # fmt: skip
    agent.play(noiseless_block(DenseRows(rows[:50]), truths[:50]))
    x, truth = Dense(rows[55]), int(truths[55])
    engine.decide(agent._player, x, 1, 1)
    learner, greedy = agent._player.learner, int(np.argmax(agent._player.scores))
    vote = learner.vote
    votes, first = vote.votes.copy(), vote.totals.copy()
    expected = np.array(
        [smooth_weights(votes[r], 1.0 if r == truth else -1.0, 0.1, theta) for r in range(k)]
    )
    mean = np.zeros(n)
    for label in range(k):
        prob = delta / k + (1 - delta if label == greedy else 0.0)
        vote.totals[:] = 0.0
        before = vote.weights[label].copy()
        engine.teach(agent._player, x, greedy, label, prob, Bit(label == truth))
        mean += prob * vote.totals
        for estimate in (vote.totals, vote.round_weights):  # for diagnostics, for training
            np.testing.assert_allclose(prob * estimate, expected[label], rtol=1e-12)
        if voting == "multiplicative":  # a step of the log-odds of the voting weights
            y = 1.0 if label == truth else -1.0
            errs = theta > y * (before @ votes[label]) / before.sum()
            odds = np.log(vote.weights[label] / before)
            step = prob / learner.eta * (odds - odds[0])
            gradient = y * votes[label] if errs else np.zeros(n)
            np.testing.assert_allclose(step, gradient - gradient[0], atol=1e-4)
    np.testing.assert_allclose(mean, expected.sum(axis=0), rtol=1e-12)
    assert not np.array_equal(first, mean)


@pytest.mark.parametrize("voting", [boosting.MULTIPLICATIVE, boosting.GRADIENT])
@pytest.mark.parametrize("rate", [1e-6, 0.1, 1e4])
def test_voting_weights_stay_on_the_simplex(voting, rate):
    voting_weights = np.full(20, 1 / 20)
    for t in range(some(3000, 500)):
        votes = np.array([2 * uniform(key(1, "votes"), t * 20 + i) - 1 for i in range(20)])
        boosting.update_voting_weights(
            voting_weights, votes, 1.0 if t % 3 else -1.0, rate, 1.0, voting
        )
        assert (voting_weights >= 0).all()
        assert abs(voting_weights.sum() - 1) < 1e-12
    assert voting_weights.std() > 0


def test_the_projection_is_the_nearest_point():
    for t in range(200):
        v = np.array([4 * uniform(key(2, "points"), t * 7 + i) - 2 for i in range(7)])
        nearest = simplex(v.tolist())
        boosting.project_onto_simplex(v)
        np.testing.assert_allclose(v, nearest, atol=1e-14)


@pytest.mark.parametrize("name", weak.names())
def test_more_than_one_weak_learner_helps(name):
    """BanditBoost learns the easy stream with every weak learner."""
    n = some(600, 300)
    rows, truths = easy_stream(n)
    rows = DenseRows(np.maximum(rows.values, 0.0))
    agent = Agent("banditboost", range(4), features=16, n=8, weak=name)
    missed = agent.play(noiseless_block(rows, truths))
    assert missed[n // 2 :].mean() < 0.35


@pytest.mark.parametrize("booster", ["banditboost", "boost"])
def test_perceptrons_that_start_at_zero_stay_equal(booster):
    """As documented: n then changes nothing, and start=random makes them differ."""
    rows, truths = categories(150)
    for start in ("zero", "random"):
        agent = Agent(booster, range(3), features=13, n=4, start=start)
        agent.play(noiseless_block(DenseRows(rows), truths))
        copies = agent._player.learner.weak.weights.reshape(13, 3, 4)
        assert bool((copies == copies[:, :, :1]).all()) == (start == "zero")
