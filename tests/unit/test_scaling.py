"""Scaling numeric columns: the textbook's formula, no look-ahead, and state like any other."""

import math

import numpy as np
import pytest
from pace import some

from onebit import Agent, BadInput
from onebit.kernel.block import noiseless_block
from onebit.kernel.rng import key, uniforms
from onebit.kernel.rows import DenseRows, as_sparse
from onebit.kernel.scaling import begin_scaling
from onebit.kernel.sizes import NUMERIC, Column, Sizes
from onebit.streams import Stream
from onebit.streams.opening import open_stream
from onebit.streams.transforms.scale import Scale, scale_rows

#: Feature 1 is a category's, the others are numbers of wild scales, 3 mostly zero.
COLUMNS = [Column(0, 1, NUMERIC), Column(1, 1, 2), Column(2, 1, NUMERIC), Column(3, 1, NUMERIC)]


def draw(n):
    u = uniforms(key(3, "scaling"), 0, 5 * n).reshape(n, 5)
    rows = np.column_stack([
        1e6 + 100 * u[:, 0], u[:, 1] < 0.5, 1e-3 * (u[:, 2] - 0.5), np.where(u[:, 3] < 0.8, 0, 7.0),
    ])  # fmt: skip
    score = u[:, 0] + 400 * rows[:, 2] + 0.3 * rows[:, 1]
    return rows, (score > 0.65).astype(np.int32)


def by_hand(rows):
    """Each row scaled by the mean and deviation of all rows up to it."""
    made = []
    for n in range(1, len(rows) + 1):
        x = rows[n - 1].copy()
        for j in (0, 2, 3):
            seen = rows[:n, j]
            deviation = math.sqrt(np.mean((seen - seen.mean()) ** 2))
            x[j] = np.clip((x[j] - seen.mean()) / deviation, -3, 3) if deviation else 0.0
        made.append([*x, 1.0])
    return np.array(made) / math.sqrt(3)


def test_a_row_is_scaled_by_the_rows_up_to_it():
    rows, _ = draw(some(300, 60))
    scaled = scale_rows(begin_scaling(Sizes(4, 2, COLUMNS)), DenseRows(rows))
    assert np.allclose(scaled.values, by_hand(rows), atol=1e-6)
    sparse = scale_rows(begin_scaling(Sizes(4, 2, COLUMNS)), as_sparse(DenseRows(rows)))
    again = as_sparse(scaled)
    assert all(np.array_equal(a, b) for a, b in zip(sparse, again, strict=True))


def agent(learner="cova", **more):
    return Agent(learner, [0, 1], features=4, columns=COLUMNS, scale=True, seed=2, **more)


def events(agent, rows, truths):
    missed = []
    for x, y in zip(rows, truths.tolist(), strict=True):
        choice = agent.decide(x)
        missed.append(choice.label != y)
        agent.learn(choice, correct=choice.label == y)
    return missed


@pytest.mark.parametrize("learner", ["cova", "margin-bandit", "banditron:explorer=softmax"])
def test_an_agent_scales_as_the_transform_does(learner):
    rows, truths = draw(some(400, 80))
    block = noiseless_block(DenseRows(rows), truths)
    stream = Stream([0, 1], 4, len(rows), lambda: iter([block]), columns=COLUMNS)
    (scaled,) = Scale().apply(stream, 0, 0).blocks()
    plain = Agent(learner, [0, 1], features=5, seed=2)
    expected = plain.play(scaled).tolist()
    assert agent(learner).play(block).tolist() == expected
    assert agent(learner).play(block._replace(rows=as_sparse(block.rows))).tolist() == expected
    assert events(agent(learner), rows, truths) == expected


def test_deciding_changes_nothing_and_what_is_not_learned_leaves_no_trace():
    rows, truths = draw(60)
    one, two = agent(), agent()
    events(one, rows[:40], truths[:40])
    events(two, rows[:40], truths[:40])
    two.predict(rows[50] * 1e6)
    two.probabilities_many(rows)
    for name in ("rows", "means", "ssds"):
        mine, other = (getattr(each._player.learner.scaling, name) for each in (one, two))
        assert np.array_equal(mine, other)
    lost = two.decide(rows[50] * 1e6)  # its feedback never comes
    one.decide(rows[50])
    assert events(one, rows[40:], truths[40:]) == events(two, rows[40:], truths[40:])
    assert lost.round == 41


def test_late_feedback_is_learned_from_the_row_as_it_came():
    rows, truths = draw(12)
    late = agent()
    choices = late.decide_many(rows)
    late.learn_many(choices, [c.label == y for c, y in zip(choices, truths, strict=True)])
    scaling = late._player.learner.scaling
    assert scaling.rows[0] == 12
    assert np.allclose(scaling.means, rows[:, [0, 2, 3]].mean(axis=0))
    assert np.allclose(scaling.ssds / 12, rows[:, [0, 2, 3]].var(axis=0))


def test_a_saved_agent_goes_on_and_grows():
    rows, truths = draw(120)
    whole, half = agent(), agent()
    expected = events(whole, rows, truths)
    found = events(half, rows[:50], truths[:50])
    half = Agent.from_bytes(half.to_bytes())
    assert half.to_bytes() == Agent.from_bytes(half.to_bytes()).to_bytes()
    assert found + events(half, rows[50:], truths[50:]) == expected
    half.add_label("new")
    assert half._player.learner.scaling.rows[0] == 120
    assert half.decide(rows[0]).label in (0, 1, "new")


def test_learners_that_scale_rows_themselves_and_those_that_read_none_get_no_scaling():
    rows, truths = draw(50)
    for learner in ("naive-bayes", "majority"):
        block = noiseless_block(DenseRows(rows), truths)
        plain = Agent(learner, [0, 1], features=4, columns=COLUMNS, seed=2)
        made = agent(learner)
        assert made.play(block).tolist() == plain.play(block).tolist()
        assert made.features == 4


def test_scaling_is_refused_where_it_makes_no_sense():
    with pytest.raises(BadInput, match="scale must be True or False, got 1"):
        Agent("cova", [0, 1], scale=1)
    with pytest.raises(BadInput, match=r"reach beyond 4 features, .* got \(9, 1, 0\)"):
        Agent("cova", [0, 1], features=4, columns=[Column(9, 1, NUMERIC)], scale=True)
    twice = [Column(1, 1, NUMERIC)] * 2
    with pytest.raises(BadInput, match="columns must not overlap"):
        Agent("cova", [0, 1], features=4, columns=twice, scale=True)
    with pytest.raises(BadInput, match="Scale: a stream must have numeric columns"):
        open_stream("car", 0, ["scale"])


def test_a_stream_without_columns_is_scaled_as_a_whole():
    plain, stream = open_stream("plane", 0), open_stream("plane", 0, ["scale"])
    assert stream.features == plain.features + 1
    assert len(stream.columns) == stream.features
    rows = next(stream.blocks()).rows
    assert np.abs(rows.values).max() <= 3 / math.sqrt(plain.features)
