"""Halving and related learners against adversaries: bounds are reached, never exceeded."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.soa import dimension as slow_dimension

from onebit import Agent
from onebit.errors import BadInput
from onebit.kernel.block import noiseless_block
from onebit.kernel.round import score
from onebit.kernel.rows import Dense, DenseRows
from onebit.theory import littlestone
from onebit.theory.littlestone import littlestone_dimension


def even_split(alive, k):
    """Advice that splits the hypotheses left evenly among k labels."""
    advice = np.zeros(len(alive))
    advice[alive] = np.arange(alive.sum()) % k
    return advice


def mistakes_against_adversary(name, n, k):
    """Count the mistakes against an adversary: every label is wrong while a hypothesis is left."""
    agent = Agent(name, range(k), features=n, seed=3)
    hears_bit = name == "bandit-halving"
    alive, mistakes = np.ones(n, bool), 0
    for _ in range(4 * n):
        advice = even_split(alive, k)
        choice = agent.decide(advice)
        others = sorted(set(advice[alive].astype(int)) - {choice.label})
        truth = others[0] if others else choice.label
        mistakes += choice.label != truth
        if hears_bit:
            agent.learn(choice, correct=choice.label == truth)
            if choice.label != truth:
                alive &= advice != choice.label
        else:
            agent.learn(choice, truth=truth)
            alive &= advice == truth
        assert np.array_equal(agent._player.learner.alive, alive)
    return mistakes


@pytest.mark.parametrize("n", [2, 16, 256])
def test_halving_makes_exactly_log2_mistakes_when_the_class_is_split_evenly(n):
    assert mistakes_against_adversary("halving", n, 2) == math.log2(n)


@pytest.mark.parametrize(("n", "k"), [(7, 3), (100, 3), (64, 5)])
def test_halving_with_more_labels_stays_below_log2(n, k):
    assert mistakes_against_adversary("halving", n, k) <= math.log2(n)


@pytest.mark.parametrize(("n", "k"), [(16, 2), (60, 3), (250, 3), (250, 6)])
def test_bandit_halving_stays_below_k_ln_and_the_adversary_comes_near(n, k):
    mistakes = mistakes_against_adversary("bandit-halving", n, k)
    assert mistakes <= math.log(n) / -math.log(1 - 1 / k) <= k * math.log(n)
    assert mistakes >= 0.5 * math.log(n) / -math.log(1 - 1 / k)


@settings(max_examples=40)
@given(n=st.integers(1, 40), k=st.integers(2, 5), seed=st.integers(0, 10**6))
def test_no_bound_is_exceeded_on_random_classes_with_a_perfect_hypothesis(n, k, seed):
    chance = np.random.default_rng(seed)
    advice = chance.integers(0, k, (60, n)).astype(float)
    truths = advice[:, seed % n].astype(np.int32)
    bounds = {
        "consistent": n - 1,
        "halving": math.log2(n),
        "soa": math.log2(n),
        "bandit-halving": k * math.log(n),
    }
    for name, bound in bounds.items():
        agent = Agent(name, range(k), features=n, seed=seed)
        assert agent.play(noiseless_block(DenseRows(advice), truths)).sum() <= bound, name


def test_consistent_can_be_forced_to_a_mistake_for_every_hypothesis_but_one():
    n = 9
    agent = Agent("consistent", [0, 1], features=n)
    # hypothesis i is wrong in round i only, where it is the first left; the last is never wrong
    missed = agent.play(noiseless_block(DenseRows(np.eye(n)[:-1]), np.zeros(n - 1, np.int32)))
    assert missed.sum() == n - 1


CLASSES = [
    *(("01", 3, size) for size in range(1, 9)),
    *(("012", 2, size) for size in range(1, 5)),
]


class Game:
    """SOA against the best of all adversaries, who knows how it breaks ties."""

    def __init__(self, table, k):
        agent = Agent("soa", range(k), features=len(table), table="/".join(table))
        self.learner, self.scores = agent._player.learner, np.empty(k)
        self.columns = [np.array(column, float) for column in zip(*table, strict=True)]
        self.found = {}

    def mistakes(self, space):
        """Return how many mistakes can be forced from a version space on."""
        if space not in self.found:
            self.found[space] = max([0, *self._moves(space)])
        return self.found[space]

    def _moves(self, space):
        for column in self.columns:
            self.learner.alive[:] = [i in space for i in range(len(column))]
            score(self.learner, Dense(column), self.scores)
            best = np.flatnonzero(self.scores == self.scores.max()).tolist()
            for truth in range(len(self.scores)):
                left = frozenset(i for i in space if column[i] == truth)
                mistake = best != [truth]
                if left == space:
                    assert not mistake
                elif left:
                    yield mistake + self.mistakes(left)


@pytest.mark.parametrize(("digits", "instances", "size"), CLASSES)
def test_soa_is_optimal_on_every_small_class(digits, instances, size):
    """Every sequence is tried: it makes Ldim mistakes at worst, no more and no fewer."""
    functions = ["".join(f) for f in itertools.product(digits, repeat=instances)]
    for table in itertools.combinations(functions, size):
        game = Game(table, len(digits))
        ldim = slow_dimension(range(size), tuple(zip(*table, strict=True)))
        assert game.mistakes(frozenset(range(size))) == ldim


def test_soa_makes_log2_mistakes_on_a_shattered_class():
    table = ["".join(bits) for bits in itertools.product("01", repeat=3)]
    agent = Agent("soa", [0, 1], features=8, table="/".join(table))
    mistakes = 0
    for x in range(3):
        choice = agent.decide([int(row[x]) for row in table])
        agent.learn(choice, truth=1 - choice.label)
        mistakes += 1
    assert mistakes == math.log2(8)
    assert agent._player.learner.alive.sum() == 1


@settings(max_examples=50)
@given(rows=st.lists(st.text("012", min_size=4, max_size=4), min_size=1, max_size=7, unique=True))
def test_the_dimension_is_littlestones(rows):
    table = np.array([[int(c) for c in row] for row in rows], float)
    instances = tuple(zip(*rows, strict=True))
    assert littlestone_dimension(table) == slow_dimension(range(len(rows)), instances)


def test_thresholds_have_a_logarithmic_dimension():
    n = 31
    table = np.array([[float(x >= i) for x in range(n)] for i in range(n + 1)])
    assert littlestone_dimension(table) == 5


def test_tables_that_are_too_large_raise_with_their_size(monkeypatch):
    assert littlestone.MAX_SPACES > 100_000
    monkeypatch.setattr(littlestone, "MAX_SPACES", 5000)  # a faster test
    chance = np.random.default_rng(1)
    wide = chance.integers(0, 2, (40, 60))
    with pytest.raises(BadInput, match=r"5,000 version spaces, got more with 40 hypotheses"):
        Agent("soa", [0, 1], features=40, table=wide)
    with pytest.raises(BadInput, match=r"at most 62 hypotheses, got 63\."):
        Agent("soa", [0, 1], features=63, table=np.zeros((63, 1), int))
    with pytest.raises(BadInput, match=r"as many hypotheses as the advice, 3, got 2\."):
        Agent("soa", [0, 1], features=3, table="01/10")
    with pytest.raises(BadInput, match=r"less than the 2 there are, got 2\."):
        Agent("soa", [0, 1], features=2, table="02/10")


@pytest.mark.parametrize("name", ["consistent", "halving", "soa", "bandit-halving"])
def test_an_empty_class_is_one_sentence_that_names_the_round(name):
    advice = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    # in round 3 the truth is a label that no hypothesis predicts: 2
    truths = np.array([0, 0, 2, 2], np.int32)
    agent = Agent(name, range(3), features=3, ties="first")
    where = r"no hypothesis is left after round [34] of those with feedback"
    with pytest.raises(BadInput, match=where):
        agent.play(noiseless_block(DenseRows(advice), truths))
