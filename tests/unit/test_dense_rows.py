"""Loops skip the zeros of wide dense rows: the same bits as if they did not, and as sparse rows."""

import numpy as np
import pytest

from onebit import Agent
from onebit.agent import core
from onebit.kernel.block import Block, Multi, noiseless_block
from onebit.kernel.engine import RECORD, Delayed
from onebit.kernel.rows import DenseRows, ZeroSkippingRows, as_sparse
from onebit.kernel.state import learned_arrays

_DRAW = np.random.default_rng(0)
FULL = np.abs(_DRAW.normal(size=(50, 8)))
ROWS = FULL * (_DRAW.random((50, 8)) < 0.2)
ROWS[3] = 0.0
ROWS[4, 2] = -0.0
TRUTHS = (np.arange(50) % 3).astype(np.int32)
LEARNERS = ("banditron", "cova", "softmax", "banditboost", "naive-bayes", "label-ranking", "mlp")


@pytest.fixture(autouse=True)
def _wide(monkeypatch):
    monkeypatch.setattr(core, "WIDE", 8)


def agent(learner="banditron"):
    return Agent(learner, range(3), features=8, seed=1, **{"n": 3} if "boost" in learner else {})


def same(one, two):
    first, second = (learned_arrays(each._player.learner) for each in (one, two))
    return all(np.array_equal(first[name], second[name]) for name in first) and len(first) > 0


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("values", [ROWS, FULL], ids=["zeros", "full"])
def test_a_block_is_played_as_in_other_forms(learner, values, monkeypatch):
    skipping, sparse, dense = agent(learner), agent(learner), agent(learner)
    assert isinstance(skipping._core._loop_rows(DenseRows(values)), ZeroSkippingRows)
    missed = skipping.play(noiseless_block(DenseRows(values), TRUTHS))
    assert (missed == sparse.play(noiseless_block(as_sparse(DenseRows(values)), TRUTHS))).all()
    assert same(skipping, sparse)
    monkeypatch.setattr(core, "WIDE", 9)
    assert (missed == dense.play(noiseless_block(DenseRows(values), TRUTHS))).all()
    assert same(skipping, dense)


def test_a_block_with_sets_of_right_labels():
    starts = np.arange(51) * 2
    labels = np.stack([TRUTHS, (TRUTHS + 1) % 3], axis=1).reshape(-1).astype(np.int32)
    truths, signals = Multi(starts, labels), np.zeros(50, np.int32)
    one, two = agent("perceptron"), agent("perceptron")
    missed = one.play(Block(DenseRows(ROWS), truths, signals))
    assert (missed == two.play(Block(as_sparse(DenseRows(ROWS)), truths, signals))).all()
    assert same(one, two)


def test_many_rows_are_decided_and_learned_as_one_by_one():
    many, single = agent(), agent()
    choices, others = many.decide_many(ROWS), [single.decide(x) for x in ROWS]
    assert choices.labels == [each.label for each in others]
    many.learn_many(choices, np.asarray(choices.labels) == TRUTHS)
    for choice, truth in zip(others, TRUTHS, strict=True):
        single.learn(choice, correct=choice.label == truth)
    assert same(many, single)
    assert many.predict_many(ROWS) == [single.predict(x) for x in ROWS]
    probs = [list(single.probabilities(x).values()) for x in ROWS]
    assert many.probabilities_many(ROWS).tolist() == probs
    assert many.predict_many(ROWS[:0]) == []


@pytest.mark.parametrize("learner", ["banditron", "auto"])
def test_a_log_is_learned_as_in_sparse_form(learner):
    labels, probs = TRUTHS[::-1].copy(), np.full(50, 0.5)
    one, two = agent(learner), agent(learner)
    for each, rows in ((one, DenseRows(ROWS)), (two, as_sparse(DenseRows(ROWS)))):
        each.replay(noiseless_block(rows, TRUTHS), labels, probs, labels == TRUTHS)
    assert same(one, two)


def test_late_feedback_is_of_the_row_that_was_played():
    one, two = agent(), agent()
    for each, rows in ((one, DenseRows(ROWS)), (two, as_sparse(DenseRows(ROWS)))):
        heard = np.arange(40)
        plan = Delayed(0, np.zeros(50, RECORD), heard, heard + 10)
        each.play_late(noiseless_block(rows, TRUTHS), plan)
    assert one._player.learner.weights.any()
    assert same(one, two)


def test_more_features_need_more_space():
    wide, whole = agent(), Agent("banditron", range(3), features=12, seed=1)
    wide.play(noiseless_block(DenseRows(ROWS), TRUTHS))
    wide.widen(12)
    padded = np.pad(ROWS, ((0, 0), (0, 4)), constant_values=1.0)
    whole.play(noiseless_block(DenseRows(padded[:, :8] @ np.eye(8, 12)), TRUTHS))
    for each in (wide, whole):
        each.play(noiseless_block(DenseRows(padded), TRUTHS))
    assert same(wide, whole)


def test_labels_of_hypotheses_keep_their_zeros():
    learner = Agent("halving", range(2), features=8)
    advice = noiseless_block(DenseRows(np.zeros((4, 8))), np.zeros(4, np.int32))
    assert not learner.play(advice).any()
