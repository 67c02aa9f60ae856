"""Naive Bayes on categorical columns: the textbook's formula, and invalid columns."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onebit import Agent, BadInput
from onebit.kernel.block import noiseless_block
from onebit.kernel.rng import key, uniform, uniforms
from onebit.kernel.rows import DenseRows
from onebit.kernel.sizes import NUMERIC, Column

#: Three values in three features; three values in two; two values in one, undeclared.
COLUMNS = [Column(0, 3, 3), Column(3, 2, 3)]


def draw(n):
    source = key(1, "categories")
    values = [[int(uniform(source, 4 * i + c) * v) for c, v in enumerate((3, 3, 2, 2))]
              for i in range(n)]  # fmt: skip
    rows = np.zeros((n, 6))
    for x, (a, b, c, _) in zip(rows, values, strict=True):
        x[a] = 1.0
        if b < 2:
            x[3 + b] = 1.0
        x[5] = c
    return rows, [v[:3] for v in values], np.array([v[3] for v in values], np.int32)


def textbook(past, truths, values, y, counts=(3, 3, 2)):
    """log (n_y + 1) + sum of log (n_vy + 1) / (n_y + V), over the columns of the row."""
    mine = [row for row, truth in zip(past, truths, strict=True) if truth == y]
    total = math.log(len(mine) + 1)
    for c, v in enumerate(counts):
        same = sum(row[c] == values[c] for row in mine)
        total += math.log((same + 1) / (len(mine) + v))
    return total


def test_scores_are_the_textbooks():
    rows, values, truths = draw(60)
    agent = Agent("naive-bayes", labels=[0, 1], features=6, columns=COLUMNS)
    for n in range(60):
        agent.predict(rows[n])
        expected = [textbook(values[:n], truths[:n].tolist(), values[n], y) for y in (0, 1)]
        # the same products in another order
        assert agent._player.scores.tolist() == pytest.approx(expected, rel=1e-12)
        agent.learn(agent.decide(rows[n]), truth=int(truths[n]))


def test_a_missing_value_says_nothing():
    rows, values, truths = draw(40)
    agent = Agent("naive-bayes", labels=[0, 1], features=6, columns=COLUMNS)
    agent.play(noiseless_block(DenseRows(rows), truths))
    agent.predict([0, 0, 0, 1, 0, 1])
    without = [[b, c] for _, b, c in values]
    expected = [textbook(without, truths.tolist(), [0, 1], y, (3, 2)) for y in (0, 1)]
    assert agent._player.scores.tolist() == pytest.approx(expected, rel=1e-12)


def normal(past, truths, y, x):
    """log of the normal density; each label has one more row of overall mean and variance."""
    usual, variance = np.mean(past), np.var(past)
    mine = [*(u for u, truth in zip(past, truths, strict=True) if truth == y), usual]
    mean = np.mean(mine)
    spread = (np.sum((np.array(mine) - mean) ** 2) + variance) / len(mine)
    return -0.5 * (math.log(spread) + (x - mean) ** 2 / spread)


def test_numbers_are_normally_distributed():
    source = key(3, "heights")
    truths = [int(uniform(source, 2 * i) * 3) for i in range(50)]
    heights = [1000.0 + 5.0 * y + 4.0 * uniform(source, 2 * i + 1) for i, y in enumerate(truths)]
    agent = Agent("naive-bayes", labels=range(3), features=1, columns=[Column(0, 1, NUMERIC)])
    for n, (x, truth) in enumerate(zip(heights, truths, strict=True)):
        agent.predict([x])
        expected = [math.log(truths[:n].count(y) + 1) for y in range(3)]
        if n > 1:
            expected = [e + normal(heights[:n], truths[:n], y, x) for y, e in enumerate(expected)]
        assert agent._player.scores.tolist() == pytest.approx(expected, rel=1e-9)
        agent.learn(agent.decide([x]), truth=truth)
    assert [agent.predict([1002.0 + 5.0 * y]) for y in range(3)] == [0, 1, 2]


@given(st.sampled_from([1e-6, 0.3, 1e5]), st.integers(-1000, 1000), st.integers(0, 99))
def test_the_unit_of_a_number_does_not_matter(scale, zero, seed):
    """Predictions do not depend on the unit and origin of a numeric column."""
    numbers = uniforms(key(seed, "numbers"), 0, 120).reshape(40, 3)
    truths = (numbers[:, 0] + 0.3 * numbers[:, 2] > 0.6).astype(np.int32)
    columns = [Column(0, 1, NUMERIC), Column(1, 1, NUMERIC)]
    rows, scores = numbers[:, :2], []
    for x in rows, rows * scale + scale * zero:
        agent = Agent("naive-bayes", [0, 1], features=2, columns=columns, seed=seed)
        agent.play(noiseless_block(DenseRows(x[:39]), truths[:39]))
        agent.predict(x[39])
        scores.append(agent._player.scores[1] - agent._player.scores[0])
    assert scores[0] == pytest.approx(scores[1], rel=1e-6, abs=1e-9)


def test_columns_are_saved(tmp_path):
    rows, _, truths = draw(40)
    agent = Agent("naive-bayes", labels=[0, 1], features=6, columns=COLUMNS, seed=2)
    agent.play(noiseless_block(DenseRows(rows[:20]), truths[:20]))
    agent.save(tmp_path / "agent.npz")
    again = Agent.load(tmp_path / "agent.npz")
    for each in (agent, again):
        each.play(noiseless_block(DenseRows(rows[20:]), truths[20:]))
    for one, two in zip(agent._player.learner, again._player.learner, strict=True):
        assert one.tobytes() == two.tobytes()


@pytest.mark.parametrize(
    "columns",
    [[Column(4, 3, 3)], [Column(-1, 2, 2)], [Column(0, 2, 4)], [Column(0, 3, 2)],
     [Column(0, 0, 0)], [Column(0, 2, 0)], [Column(0, 3, 3), Column(2, 2, 2)]],
)  # fmt: skip
def test_invalid_columns_are_one_sentence(columns):
    with pytest.raises(BadInput, match=r"^Agent: columns must .*\.$"):
        Agent("naive-bayes", labels=[0, 1], features=6, columns=columns)
