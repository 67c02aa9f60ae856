"""Comparators: the best fixed weights in hindsight, which regret and mistake bounds refer to.

The multiclass support vector machine of Crammer and Singer (JMLR 2001), fitted by
dual coordinate descent (Keerthi et al., KDD 2008): it minimises
||W||^2 / 2 + c * (total hinge loss) over weights W, where the hinge loss of a
row is max over wrong labels r of [1 - (Wx)_y + (Wx)_r]_+. A bound holds for any
W, so an approximate minimum only makes it larger.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from onebit.kernel.block import Block, Single
from onebit.kernel.rows import Floats, Ints, Rows, SparseRows, add, dot, row, squared_norm
from onebit.kernel.verbs import entry, kernel


class Measure(NamedTuple):
    """Hinge loss L, complexity D for rows scaled to norm 1, and margin of weights on a stream."""

    loss: float
    complexity: float
    least_margin: float
    radius: float
    rounds: int

    @property
    def pairs(self) -> list[tuple[float, float]]:
        """L and D of these weights, and scaled to margin 1 if they separate all rounds."""
        found = [(self.loss, self.complexity)]
        if 0.0 < self.least_margin < 1.0:
            found.append((0.0, self.complexity / self.least_margin**2))
        return found


@kernel
def solve_row(gradient: Floats, label: int, length: float, cost: float, out: Floats) -> None:
    """Solve the dual problem of one row: set out to the new dual variables of all labels.

    They are min(cap_r, (beta - b_r) / length) with cap = cost for the true label
    and 0 for others, and beta such that they sum to 0. beta is found by decreasing it: labels
    leave their cap in descending order of b_r + length * cap_r.
    """
    labels = gradient.shape[0]
    for r in range(labels):
        out[r] = gradient[r] + (length * cost if r == label else 0.0)
    for n in range(1, labels):  # insertion sort, highest first; K is small
        value, m = out[n], n
        while m > 0 and out[m - 1] < value:
            out[m] = out[m - 1]
            m -= 1
        out[m] = value
    total, count = out[0] - length * cost, 1
    while count < labels and total < count * out[count]:
        total += out[count]
        count += 1
    beta = total / count
    for r in range(labels):
        cap = cost if r == label else 0.0
        out[r] = min(cap, (beta - gradient[r]) / length)


@entry
def descend_once(
    rows: Rows, truths: Ints, order: Ints, cost: float, weights: Floats, duals: Floats, work: Floats
) -> float:
    """Update the dual variables of every row once; return the largest change of a score."""
    labels = weights.shape[1]
    gradient, new = work[0], work[1]
    largest_change = 0.0
    for n in range(order.shape[0]):
        i = order[n]
        x = row(rows, i)
        length = squared_norm(x)
        if length > 0.0:
            dot(x, weights, gradient)
            for r in range(labels):
                gradient[r] += (0.0 if r == truths[i] else 1.0) - length * duals[i, r]
            solve_row(gradient, truths[i], length, cost, new)
            for r in range(labels):
                step = new[r] - duals[i, r]
                if step != 0.0:
                    largest_change = max(largest_change, abs(step) * length)
                    add(x, step, weights, r)
                    duals[i, r] = new[r]
    return largest_change


@entry
def add_hinge_loss(rows: Rows, truths: Ints, weights: Floats, scores: Floats, out: Floats) -> None:
    """Update out: hinge loss (sum), margin (minimum), squared norm of a row (maximum)."""
    for i in range(truths.shape[0]):
        x = row(rows, i)
        dot(x, weights, scores)
        margin = np.inf
        for r in range(scores.shape[0]):
            if r != truths[i]:
                margin = min(margin, scores[truths[i]] - scores[r])
        out[0] += max(0.0, 1.0 - margin)
        out[1] = min(out[1], margin)
        out[2] = max(out[2], squared_norm(x))


def fit(
    rows: SparseRows, truths: Ints, features: int, labels: int, cost: float = 1.0, sweeps: int = 300
) -> Floats:
    """Return weights (features, labels) with small norm and small hinge loss on the rows."""
    weights = np.zeros((features, labels))
    duals = np.zeros((len(truths), labels))
    order = np.argsort(np.arange(len(truths)) * 0.6180339887498949 % 1.0).astype(np.int32)
    work = np.empty((2, labels))
    for _ in range(sweeps):
        if descend_once(rows, truths, order, cost, weights, duals, work) < 1e-3:
            break
    return weights


def measure(blocks: Iterable[Block], weights: Floats) -> Measure:
    """Return hinge loss, complexity and margin of weights over blocks of rounds."""
    out = np.array([0.0, math.inf, 0.0])
    rounds, scores = 0, np.empty(weights.shape[1])
    for block in blocks:
        assert isinstance(block.truths, Single)
        add_hinge_loss(block.rows, block.truths.labels, weights, scores, out)
        rounds += block.rounds
    complexity = 2 * float((weights**2).sum()) * float(out[2])
    return Measure(float(out[0]), complexity, float(out[1]), math.sqrt(out[2]), rounds)
