"""Rows and blocks: what kernels may do with them, dense and sparse alike."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from onebit.agent.agent import Agent
from onebit.checks.easy_streams import easy_stream
from onebit.kernel import block as blocks
from onebit.kernel.block import (
    LOST,
    Block,
    Multi,
    Single,
    concatenate_blocks,
    is_right,
    noiseless_block,
    relevance,
)
from onebit.kernel.rearranging import concatenate_rows, first_rows, take_rows
from onebit.kernel.rows import (
    Dense,
    DenseRows,
    Sparse,
    add,
    as_sparse,
    dot,
    feature,
    row,
    row_fits,
    squared_norm,
)
from onebit.kernel.state import _zeros

matrices = hnp.arrays(np.float64, (4, 5), elements=st.sampled_from([0.0, 1.0, -2.5, 0.1, 1e10]))


@given(matrices)
def test_verbs_on_rows(values):
    rows = DenseRows(values)
    weights = np.arange(15.0).reshape(5, 3) / 7
    for i in range(4):
        results = []
        for x in (row(rows, i), row(as_sparse(rows), i)):
            scores, changed = np.empty(3), weights.copy()
            dot(x, weights, scores)
            add(x, -0.5, changed, 2)
            results.append((scores.tobytes(), changed.tobytes(), squared_norm(x)))
            assert np.allclose(scores, values[i] @ weights)
            assert np.array_equal(changed[:, 2], weights[:, 2] - 0.5 * values[i])
            assert np.isclose(squared_norm(x), values[i] @ values[i])
            for n in range(len(x.values)):
                assert x.values[n] == values[i, feature(x, n)]
        assert results[0] == results[1]


def test_heads():
    rows, truths = easy_stream(5)
    for block in (noiseless_block(rows, truths), noiseless_block(as_sparse(rows), truths)):
        part = block.head(2)
        assert part.rounds == 2
        assert part.truths.labels.tolist() == truths[:2].tolist()
        for i in range(2):
            assert row(part.rows, i)[-1].tolist() == row(block.rows, i)[-1].tolist()
    multi = Block(
        rows,
        Multi(np.array([0, 2, 2, 3, 3, 3]), np.array([1, 3, 0], np.int32)),
        np.zeros(5, np.int32),
    )
    assert multi.head(3).truths.labels.tolist() == [1, 3, 0]
    assert first_rows(rows, 0).values.shape == (0, 16)


@pytest.mark.parametrize(
    ("x", "good"),
    [
        (Dense(np.ones(3)), True),
        (Dense(np.ones(4)), False),
        (Sparse(np.array([0, 2], np.int32), np.ones(2)), True),
        (Sparse(np.array([], np.int32), np.ones(0)), True),
        (Sparse(np.array([0, 3], np.int32), np.ones(2)), False),
        (Sparse(np.array([-1, 2], np.int32), np.ones(2)), False),
        (Sparse(np.array([2, 0], np.int32), np.ones(2)), False),
        (Sparse(np.array([1, 1], np.int32), np.ones(2)), False),
        (Sparse(np.array([0, 2], np.int32), np.ones(1)), False),
    ],
)
def test_only_harmless_rows_fit(x, good):
    assert row_fits(x, 3) is good


def test_truths():
    single = Single(np.array([2, 0], np.int32))
    assert is_right(single, 0, 2)
    assert not is_right(single, 1, 2)
    assert [relevance(single, 0, k) for k in range(4)] == [0.0, 0.0, 1.0, 0.0]
    multi = Multi(np.array([0, 2, 2]), np.array([1, 3], np.int32))
    assert [is_right(multi, 0, k) for k in range(4)] == [False, True, False, True]
    assert not any(is_right(multi, 1, k) for k in range(4))
    assert [relevance(multi, 0, k) for k in range(4)] == [0.0, 1.0, 0.0, 1.0]
    graded = multi._replace(degrees=np.array([0.5, 3.0]))
    assert [relevance(graded, 0, k) for k in range(4)] == [0.0, 0.5, 0.0, 3.0]
    assert relevance(graded, 1, 3) == 0.0


def test_blocks_of_labels_of_sets_and_of_degrees_are_put_together():
    rows, labels = DenseRows(np.ones((2, 1))), np.array([2, 0], np.int32)
    single = noiseless_block(rows, labels)
    multi = single._replace(truths=Multi(np.array([2, 3, 5]), np.array([9, 9, 0, 1, 2], np.int32)))
    graded = multi._replace(truths=multi.truths._replace(degrees=np.arange(5.0)))
    both = concatenate_blocks([single, multi])
    assert both.truths.starts.tolist() == [0, 1, 2, 3, 5]
    assert both.truths.labels.tolist() == [2, 0, 0, 1, 2]
    assert len(both.truths.degrees) == 0
    every = concatenate_blocks([single, multi, graded])
    assert every.truths.labels.tolist() == [2, 0, 0, 1, 2, 0, 1, 2]
    assert every.truths.degrees.tolist() == [1, 1, 1, 1, 1, 2, 3, 4]
    assert every.head(3).truths.degrees.tolist() == [1, 1, 1]
    assert every.pick(np.array([5, 0])).truths.degrees.tolist() == [3, 4, 1]


def play(learner, block):
    agent = Agent(learner, range(4), features=16, seed=2)
    missed = agent.play(block)
    return missed.tolist(), agent._player.learner[0].tobytes()


@pytest.mark.parametrize("learner", ["banditron", "perceptron"])
def test_lost_feedback_teaches_nothing(learner):
    rows, truths = easy_stream(100)
    block = noiseless_block(rows, truths)
    _, state = play(learner, block._replace(signals=np.full(100, LOST, np.int32)))
    assert not np.frombuffer(state).any()


def test_a_lie_turns_the_bit_around_and_names_another_label():
    rows, truths = easy_stream(100)
    lies = np.full(100, 1, np.int32)
    missed, state = play("banditron", noiseless_block(rows, truths)._replace(signals=lies))
    agent = Agent("banditron", range(4), features=16, seed=2)
    for n in range(100):
        choice = agent.decide(rows.values[n])
        assert (choice.label != truths[n]) == missed[n]
        agent.learn(choice, correct=bool(choice.label != truths[n]))
    assert agent._player.learner.weights.tobytes() == state
    assert (
        play("perceptron", noiseless_block(rows, truths)._replace(signals=lies))[1]
        == (play("perceptron", noiseless_block(rows, (truths + 1) % 4))[1])
    )


def test_any_of_several_right_labels_is_a_hit():
    rows, truths = easy_stream(300)
    several = Multi(
        np.arange(301, dtype=np.int64) * 2, np.stack([truths, (truths + 1) % 4], 1).ravel()
    )
    single, _ = play("banditron", noiseless_block(rows, truths))
    multi, _ = play("banditron", Block(rows, several, np.zeros(300, np.int32)))
    nothing = Multi(np.zeros(301, np.int64), np.zeros(0, np.int32))
    never, _ = play("banditron", Block(rows, nothing, np.zeros(300, np.int32)))
    assert sum(multi) < sum(single)
    assert all(never)


@given(matrices, st.lists(st.integers(0, 3), max_size=6))
def test_rows_picked_and_joined_are_the_same_rows(values, order):
    rows, order = DenseRows(values), np.array(order, np.int64)
    sparse = as_sparse(rows)
    assert as_sparse(sparse) is sparse
    assert np.array_equal(take_rows(rows, order).values, values[order])
    both = concatenate_rows([rows, take_rows(rows, order)])
    assert np.array_equal(both.values, np.concatenate([values, values[order]]))
    for one, two in ((take_rows(sparse, order), as_sparse(take_rows(rows, order))),
                     (concatenate_rows([sparse, take_rows(sparse, order)]),
                      as_sparse(both))):  # fmt: skip
        assert [part.tolist() for part in one] == [part.tolist() for part in two]


def test_rounds_picked_and_joined_keep_all_their_labels():
    rows, truths = easy_stream(4)
    several = Multi(np.array([0, 2, 2, 3, 6]), np.array([0, 1, 3, 0, 1, 2], np.int32))
    signals = np.array([0, 1, 2, LOST], np.int32)
    for right in (Single(truths), several):
        whole = Block(rows, right, signals)
        order = np.array([3, 1, 0, 0])
        twice = blocks.concatenate_blocks([whole, whole.pick(order)])
        assert twice.signals.tolist() == [0, 1, 2, LOST, LOST, 1, 0, 0]
        for i, was in enumerate([0, 1, 2, 3, *order]):
            assert row(twice.rows, i).values.tolist() == rows.values[was].tolist()
            labels = [k for k in range(4) if is_right(twice.truths, i, k)]
            assert labels == [k for k in range(4) if is_right(right, was, k)]


def test_rows_over_many_features_are_played_the_same_dense_and_sparse():
    random = np.random.default_rng(0)
    features, rounds = 10_000, 40  # so many that weights are fetched ahead of their use
    values = np.where(random.random((rounds, features)) < 0.01, random.normal(size=features), 0.0)
    truths = random.integers(0, 4, rounds).astype(np.int32)
    played = []
    for rows in (DenseRows(values), as_sparse(DenseRows(values))):
        agent = Agent("banditron", range(4), features=features, seed=1)
        missed = agent.play(noiseless_block(rows, truths)).tolist()
        played.append((missed, agent._player.learner.weights.tobytes()))
    assert played[0] == played[1]


def test_large_zeros_begin_with_a_line_of_the_cache():
    zeros = _zeros((9_001, 3), np.dtype(np.float32))
    assert zeros.ctypes.data % 64 == 0
    assert zeros.shape == (9_001, 3)
    assert not zeros.any()
