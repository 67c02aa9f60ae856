"""OGD: online gradient descent, projected onto the unit ball."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from onebit.kernel.rows import Floats, Row, dot, feature, squared_norm
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements, kernel
from onebit.learners.weak import PLAIN, SMOOTH, Copies, Dtype, Reading, Start, train, vote, weak
from onebit.learners.weak._linear import Margins, PerCopy, Squares, Steps, Weights, initial_bank

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

    weights: Weights
    bias: PerCopy
    shrink: Annotated[Floats, Axes("labels", "n", first=1.0, within="(0, 1]")]
    squares: Squares
    weight_squares: Squares
    margins: Margins
    steps: Steps
    n: Copies = 1
    reading: Reading = "plain"  # type: ignore[assignment]
    start: Start = "zero"  # type: ignore[assignment]
    dtype: Dtype = "float64"  # type: ignore[assignment]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> Any:
        """Return the first state; random weights are projected."""
        bank = initial_bank(cls, sizes, seed, params)
        for k in range(sizes.labels):
            for i in range(bank.n):
                project_onto_ball(bank, k, i)
        return bank


@implements(vote, Ogd)
def _(bank: Ogd, x: Row, out: Floats) -> None:
    labels, n = out.shape
    dot(x, bank.weights, bank.margins)
    factor = unit_factor(bank, x)
    for k in range(labels):
        for i in range(n):
            total = bank.margins[k * n + i] + (bank.bias[k, i] if bank.reading == SMOOTH else 0.0)
            margin = bank.shrink[k, i] * total * factor
            bank.margins[k * n + i] = margin
            out[k, i] = margin if bank.reading == PLAIN else min(1.0, max(-1.0, margin))


@implements(train, Ogd)
def _(bank: Ogd, x: Row, label: int, y: float, weights: Floats) -> None:
    factor = unit_factor(bank, x)
    if factor == 0.0:
        return
    n = weights.shape[0]
    at = label * n
    for i in range(n):
        bank.weight_squares[label, i] += weights[i] * weights[i]
        root = math.sqrt(bank.weight_squares[label, i])
        s = y * weights[i] / root if root > 0.0 else 0.0
        grown = bank.squares[label, i] + 2.0 * s * bank.margins[at + i] + s * s
        bank.squares[label, i] = max(0.0, grown)
        bank.steps[i] = s * factor / bank.shrink[label, i]
    for e in range(x.values.shape[0]):
        j, value = feature(x, e), x.values[e]
        if value != 0.0:
            for i in range(n):
                bank.weights[j, at + i] += bank.steps[i] * value
    for i in range(n):
        if bank.reading == SMOOTH:
            bank.bias[label, i] += bank.steps[i]
        project_onto_ball(bank, label, i)


@kernel
def unit_factor(bank: Any, x: Row) -> float:
    """Return 1 / norm of a row, with its bias feature if it has one; 0 for an empty row."""
    total = squared_norm(x) + (1.0 if bank.reading == SMOOTH else 0.0)
    return 1.0 / math.sqrt(total) if total > 0.0 else 0.0


@kernel
def project_onto_ball(bank: Any, label: int, i: int) -> None:
    """Project the weights of one copy onto the unit ball."""
    if bank.squares[label, i] > 1.0:
        bank.shrink[label, i] /= math.sqrt(bank.squares[label, i])
        bank.squares[label, i] = 1.0
    if bank.shrink[label, i] < MIN_SHRINK:
        at = label * bank.n
        for j in range(bank.weights.shape[0]):
            bank.weights[j, at + i] *= bank.shrink[label, i]
        bank.bias[label, i] *= bank.shrink[label, i]
        bank.shrink[label, i] = 1.0
