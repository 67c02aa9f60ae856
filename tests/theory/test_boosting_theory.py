"""BanditBoost's lemmas with their constants, beside runs; batch boosting beside boosting online."""

import math

import numpy as np
import pytest
from pace import some
from streams.reading import whole

from onebit import Agent
from onebit.kernel.block import noiseless_block
from onebit.kernel.rows import Dense, DenseRows, as_sparse
from onebit.kernel.sizes import Sizes
from onebit.learners import weak
from onebit.theory import bounds
from onebit.theory.batch_boosting import batch_boost


@pytest.mark.parametrize("flip", [0.0, 0.3, 0.5])
def test_lemma_1_the_regret_of_ogd(flip):
    chance = np.random.default_rng(3)
    rounds, width = some(800, 200), 6
    rows = chance.normal(size=(rounds, width))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    sides = np.where((rows[:, 0] > 0) ^ (chance.random(rounds) < flip), 1.0, -1.0)
    weights = chance.exponential(size=rounds) ** 2  # heavy, as importance weights are
    bank = weak.make_bank("ogd", Sizes(width, 1), 0, {"n": 1, "reading": "literal"})
    gain, votes = 0.0, np.empty((1, 1))
    for x, y, weight in zip(rows, sides, weights, strict=True):
        weak.vote(bank, Dense(x), votes)
        gain += weight * y * votes[0, 0]
        weak.train(bank, Dense(x), 0, y, np.array([weight]))
    best = np.linalg.norm((weights * sides) @ rows)  # of hypotheses of norm 1
    assert best - gain <= bounds.boosting_lemma_1(squares=float((weights**2).sum()))


def test_claim_1_estimates_concentrate():
    labels, rounds, delta, runs = 3, 400, 0.3, 400
    chance = np.random.default_rng(1)
    true = chance.random(rounds)
    prob = delta / labels
    estimates = np.where(chance.random((runs, rounds)) < prob, true / prob, 0.0)
    short = (true.sum() - estimates.sum(axis=1)) / rounds
    for deviation in (0.2, 0.5, 1.0, 2.0):
        allowed = bounds.boosting_claim_1(
            labels=labels, rounds=rounds, delta=delta, deviation=deviation
        )
        assert (short > deviation).mean() <= allowed + 3 * math.sqrt(0.25 / runs) * (allowed < 1)


@pytest.fixture(scope="module")
def run():
    """A run of the literal algorithm, with all votes, voting weights and truths of each round."""
    labels, n, delta, advantage, rounds = 3, 40, 0.3, 0.35, some(1500, 500)
    chance = np.random.default_rng(5)
    truths = chance.integers(0, labels, rounds).astype(np.int32)
    rows = np.eye(labels)[truths] + 0.2 * chance.normal(size=(rounds, labels))
    agent = Agent("banditboost", range(labels), features=labels, n=n, delta=delta, seed=2,
                  advantage=advantage, step="literal", weak="ogd")  # fmt: skip
    votes, alphas, missed = [], [], 0
    for x, truth in zip(rows, truths, strict=True):
        choice = agent.decide(x)
        votes.append(agent._player.learner.vote.votes.copy())
        alphas.append(agent._player.learner.vote.weights.copy())
        missed += choice.label != truth
        agent.learn(choice, correct=choice.label == truth)
    given = {"labels": labels, "rounds": rounds, "delta": delta, "advantage": advantage}
    sides = np.where(truths[:, None] == np.arange(labels), 1.0, -1.0)
    return agent, np.array(votes), np.array(alphas), sides, missed, given


def smooth(votes, sides, advantage, copy):
    """Equations 2 and 3 for a copy, in all rounds and labels."""
    theta = advantage / (2 + advantage)
    z = (sides[:, :, None] * votes[:, :, :copy] - theta).sum(axis=2)
    return np.minimum(1.0, (1 - advantage) ** (z / 2))


def test_lemma_2_few_margins_of_the_average_vote_are_small(run):
    agent, votes, _, sides, _, given = run
    theta = given["advantage"] / (2 + given["advantage"])
    m = agent.diagnostics()["m"]
    assert 1 <= m < votes.shape[2]  # so that there is a copy after it
    small = int((sides * votes[:, :, :m].mean(axis=2) < theta).sum())
    assert small <= smooth(votes, sides, given["advantage"], m).sum()  # in any run
    assert small <= bounds.boosting_lemma_2(
        labels=given["labels"], rounds=given["rounds"], delta=given["delta"]
    )


def test_claim_2_and_lemma_3(run):
    agent, votes, _, sides, _, given = run
    known = agent._player.learner.vote
    gain, total = float(known.gains.sum()), float(known.totals.sum())
    advantage = given["advantage"]
    assert gain - advantage * total <= bounds.boosting_claim_2(**given)
    # and with the importance weights of the run, whose sum is the weight of the first copy
    assert gain - advantage * total <= 2 / advantage * float(known.totals[0])
    weights = np.stack([smooth(votes, sides, advantage, i) for i in range(votes.shape[2])], axis=2)
    single = (weights * (sides[:, :, None] * votes - advantage)).sum(axis=2)
    assert single.max() <= 2 / advantage
    if min(agent.diagnostics()["advantage"]) >= 2 * advantage:
        bound = bounds.boosting_lemma_3(delta=given["delta"], advantage=advantage)
        assert agent.diagnostics()["m"] <= bound


@pytest.mark.parametrize("advantage", [0.01, 0.1, 0.3, 0.49])
def test_claim_2_holds_for_any_votes(advantage):
    chance = np.random.default_rng(0)
    for kind in range(3):
        votes = [chance.uniform(-1, 1, 400), np.ones(400), chance.choice([-1.0, 1.0], 400)][kind]
        votes = votes[None, None, :]
        ones = np.ones((1, 1))
        weights = np.array([smooth(votes, ones, advantage, i)[0, 0] for i in range(400)])
        assert (weights * (votes[0, 0] - advantage)).sum() <= 2 / advantage


def test_lemma_4_and_theorem_1(run):
    _, votes, alphas, sides, missed, given = run
    theta = given["advantage"] / (2 + given["advantage"])
    margins = sides * (alphas * votes).sum(axis=2)
    loss = np.maximum(0.0, theta - margins).sum()
    n = votes.shape[2]
    assert loss <= bounds.boosting_lemma_4(**given, n=n)
    greedy = (alphas * votes).sum(axis=2).argmax(axis=1)
    assert (sides[np.arange(len(greedy)), greedy] < 0).sum() <= loss / theta
    assert missed <= bounds.boosting_theorem_1(**given, n=n)


def test_batch_boosting_is_the_reference_for_boosting_online():
    """It sees all rows first, and errs least; full information beats one bit."""
    block = whole("car", 1)
    sparse = as_sparse(block.rows)
    rows = np.zeros((block.rounds, 22))
    rows[np.repeat(np.arange(block.rounds), np.diff(sparse.starts)), sparse.indices] = sparse.values
    rows[:, 21] = 1.0
    truths = block.truths.labels
    errors = batch_boost(rows, truths, 4, 100)
    assert errors[-1] < errors[0] / 2
    stream = noiseless_block(DenseRows(rows), truths).head(some(1728, 500))
    online, bandit = (
        Agent(name, range(4), features=22, n=some(20, 3), seed=1).play(stream).mean()
        for name in ("boost", "banditboost")
    )
    assert errors[-1] < online < bandit


def test_batch_boosting_separates_what_is_separable():
    chance = np.random.default_rng(2)
    truths = chance.integers(0, 3, 200).astype(np.int32)
    rows = np.eye(3)[truths] + 0.2 * chance.random((200, 3))
    assert batch_boost(rows, truths, 3, 30)[-1] == 0.0
