"""OGD: online gradient descent, projected onto the unit ball."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.kernel.rng import key, subkey
from onebit.kernel.rows import Floats, Row, dot, feature, squared_norm
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import Axes, initial_state
from onebit.kernel.verbs import entry, implements, kernel
from onebit.learners.weak import PLAIN, Copies, Dtype, Reading, Start, train, vote, weak
from onebit.learners.weak._linear import (
    Linear,
    Squares,
    bias_feature,
    row_factor,
    squared_length,
    start_weight,
)

#: A `shrink` below this is multiplied into the weights and reset to 1.
MIN_SHRINK = 1e-100


@weak
class Ogd(NamedTuple):
    """Votes <h, x> with ||h|| <= 1 on rows of norm 1, and steps along the weighted gradient y x.

    The step size is weight / sqrt(sum of squared weights so far), after which h is
    projected onto the unit ball. Lemma 1's guarantee holds for it.

    Reference: Chen, Lin and Lu, ICML 2014, Section 3, with the gradient descent of
    Zinkevich, ICML 2003. h is `shrink` times `weights`, so that a projection
    changes one number.
    """

    linear: Linear
    shrink: Annotated[Floats, Axes("labels", "n", first=1.0, within="(0, 1]")]
    weight_squares: Squares
    n: Copies = 1
    reading: Reading = "plain"  # type: ignore[assignment]
    start: Start = "zero"  # type: ignore[assignment]
    dtype: Dtype = "float64"  # type: ignore[assignment]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> Any:
        """Return the first state; random weights are projected."""
        # random weights are drawn here, since the projection needs those of all features
        linear = initial_state(Linear, sizes, {**params, "start": "zero"})
        bank = initial_state(cls, sizes, params, linear=linear)
        if bank.start:
            draw_weights(key(seed, "weak start"), bank.linear.weights, bank.linear.squares)
        for k in range(sizes.labels):
            for i in range(bank.n):
                project_onto_ball(bank, k, i)
        return bank


@entry
def draw_weights(start_key: int, weights: Floats, squares: Floats) -> None:
    """Draw all weights uniformly from (-1, 1), and set their squared norms."""
    labels, n = squares.shape
    for k in range(labels):
        label_key = subkey(start_key, k)
        for j in range(weights.shape[0]):
            for i in range(n):
                weights[j, k * n + i] = start_weight(label_key, n, j, i)
                squares[k, i] += np.float64(weights[j, k * n + i]) * weights[j, k * n + i]


@implements(vote, Ogd)
def _(bank: Ogd, x: Row, out: Floats) -> None:
    labels, n = out.shape
    margins, bias = bank.linear.margins, bank.linear.bias
    dot(x, bank.linear.weights, margins)
    factor, one = unit_row(bank.linear, x)
    for k in range(labels):
        for i in range(n):
            total = factor * margins[k * n + i] + one * bias[k, i]
            margin = bank.shrink[k, i] * total
            margins[k * n + i] = margin
            out[k, i] = margin if bank.reading == PLAIN else min(1.0, max(-1.0, margin))


@implements(train, Ogd)
def _(bank: Ogd, x: Row, label: int, y: float, weights: Floats) -> None:
    linear = bank.linear
    factor, one = unit_row(linear, x)
    if factor == 0.0 and one == 0.0:
        return
    n = weights.shape[0]
    at = label * n
    for i in range(n):
        bank.weight_squares[label, i] += weights[i] * weights[i]
        root = math.sqrt(bank.weight_squares[label, i])
        s = y * weights[i] / root if root > 0.0 else 0.0
        grown = linear.squares[label, i] + 2.0 * s * linear.margins[at + i] + s * s
        linear.squares[label, i] = max(0.0, grown)
        linear.steps[i] = s / bank.shrink[label, i]
    for e in range(x.values.shape[0]):
        j, value = feature(x, e), x.values[e]
        if value != 0.0:
            for i in range(n):
                linear.weights[j, at + i] += linear.steps[i] * factor * value
    for i in range(n):
        linear.bias[label, i] += linear.steps[i] * one
        project_onto_ball(bank, label, i)


@kernel
def unit_row(linear: Linear, x: Row) -> tuple[float, float]:
    """Return the factor that makes the row one of norm 1, and its bias feature then."""
    if linear.reading == PLAIN:
        total = squared_norm(x)
        return (1.0 / math.sqrt(total) if total > 0.0 else 0.0), 0.0
    total = squared_length(linear, x)
    if total <= 0.0:
        return 0.0, 0.0
    length = math.sqrt(total)
    return row_factor(linear, x) / length, bias_feature(linear) / length


@kernel
def project_onto_ball(bank: Any, label: int, i: int) -> None:
    """Project the weights of one copy onto the unit ball."""
    linear = bank.linear
    if linear.squares[label, i] > 1.0:
        bank.shrink[label, i] /= math.sqrt(linear.squares[label, i])
        linear.squares[label, i] = 1.0
    if bank.shrink[label, i] < MIN_SHRINK:
        at = label * bank.n
        for j in range(linear.weights.shape[0]):
            linear.weights[j, at + i] *= bank.shrink[label, i]
        linear.bias[label, i] *= bank.shrink[label, i]
        bank.shrink[label, i] = 1.0
