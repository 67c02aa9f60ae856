"""Dense rows with many zeros are played in sparse form: the same bits, whatever space is kept."""

import numpy as np
import pytest

from onebit import Agent
from onebit.agent import core
from onebit.kernel.block import Block, Multi, noiseless_block
from onebit.kernel.rows import DenseRows, as_sparse

_DRAW = np.random.default_rng(0)
ROWS = _DRAW.normal(size=(50, 8)) * (_DRAW.random((50, 8)) < 0.2)
TRUTHS = (np.arange(50) % 3).astype(np.int32)


@pytest.fixture(params=[1, 24, 56, core.MOST_KEPT])
def most_kept(request, monkeypatch):
    monkeypatch.setattr(core, "MOST_KEPT", request.param)


def agent(learner="banditron", **more):
    return Agent(learner, range(3), features=8, seed=1, **more)


def one_by_one():
    single = agent()
    for x, truth in zip(ROWS, TRUTHS, strict=True):
        choice = single.decide(x)
        single.learn(choice, correct=choice.label == truth)
    return single


@pytest.mark.usefixtures("most_kept")
def test_a_block_is_played_as_rows_one_by_one():
    whole = agent()
    missed = whole.play(noiseless_block(DenseRows(ROWS), TRUTHS))
    assert whole.round == 50
    assert (whole._player.learner.weights == one_by_one()._player.learner.weights).all()
    assert (missed == agent().play(noiseless_block(as_sparse(DenseRows(ROWS)), TRUTHS))).all()


@pytest.mark.usefixtures("most_kept")
def test_a_block_with_sets_of_right_labels():
    starts = np.arange(51) * 2
    labels = np.stack([TRUTHS, (TRUTHS + 1) % 3], axis=1).reshape(-1).astype(np.int32)
    truths, signals = Multi(starts, labels), np.zeros(50, np.int32)
    dense, sparse = agent("perceptron"), agent("perceptron")
    one = dense.play(Block(DenseRows(ROWS), truths, signals))
    two = sparse.play(Block(as_sparse(DenseRows(ROWS)), truths, signals))
    assert (one == two).all()
    assert (dense._player.learner.weights == sparse._player.learner.weights).all()


@pytest.mark.usefixtures("most_kept")
def test_many_rows_are_decided_and_learned_as_one_by_one():
    many, single = agent(), agent()
    choices, others = many.decide_many(ROWS), [single.decide(x) for x in ROWS]
    assert choices.labels == [each.label for each in others]
    many.learn_many(choices, np.asarray(choices.labels) == TRUTHS)
    for choice, truth in zip(others, TRUTHS, strict=True):
        single.learn(choice, correct=choice.label == truth)
    assert (many._player.learner.weights == single._player.learner.weights).all()
    assert many.predict_many(ROWS) == [single.predict(x) for x in ROWS]
    probs = [list(single.probabilities(x).values()) for x in ROWS]
    assert many.probabilities_many(ROWS).tolist() == probs
    assert many.predict_many(ROWS[:0]) == []


@pytest.mark.usefixtures("most_kept")
def test_a_log_is_learned_as_in_sparse_form():
    labels, probs = TRUTHS[::-1].copy(), np.full(50, 0.5)
    agents = agent(), agent()
    for each, rows in zip(agents, (DenseRows(ROWS), as_sparse(DenseRows(ROWS))), strict=True):
        each.replay(noiseless_block(rows, TRUTHS), labels, probs, labels == TRUTHS)
    one, two = agents
    assert (one._player.learner.weights == two._player.learner.weights).all()


def test_rows_with_few_zeros_stay_as_they_are(monkeypatch):
    full = agent()
    full.play(noiseless_block(DenseRows(ROWS + 1), TRUTHS))
    monkeypatch.setattr(core, "as_sparse", None)  # whatever rows come later
    full.play(noiseless_block(DenseRows(ROWS), TRUTHS))
    with pytest.raises(TypeError):
        agent().play(noiseless_block(DenseRows(ROWS), TRUTHS))


def test_labels_of_hypotheses_keep_their_zeros():
    advice = np.zeros((4, 8))
    learner = Agent("halving", range(2), features=8)
    assert not learner.play(noiseless_block(DenseRows(advice), np.zeros(4, np.int32))).any()
