"""OGD: online gradient steps, projected back into the unit ball."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from onebit.kernel.rows import Floats, Row, dot, feature, squared_norm
from onebit.kernel.state import Axes, Sizes
from onebit.kernel.verbs import implements, kernel, no_refcount
from onebit.learners.weak import (
    PLAIN,
    SMOOTH,
    Copies,
    Dtype,
    Reading,
    Start,
    train,
    vote,
    weak,
)
from onebit.learners.weak._linear import Margins, PerCopy, Steps, Weights, initial_bank

#: A shrinking factor below this is multiplied into the weights.
SMALLEST = 1e-100


@weak
class Ogd(NamedTuple):
    """Votes <h, x> with ||h|| <= 1 on rows of length 1; climbs the weighted gradient y x.

    The step is weight / sqrt(sum of squared weights so far), after which h is
    projected into the unit ball. The one with Lemma 1's guarantee.

    Reference: Chen, Lin and Lu, ICML 2014, Section 3, with the gradient descent of
    Zinkevich, ICML 2003. h is `shrink` times `weights`, so that a projection costs
    one number.
    """

    weights: Weights
    bias: PerCopy
    shrink: Annotated[Floats, Axes("labels", "n", first=1.0)]
    squares: PerCopy
    given: PerCopy
    margins: Margins
    steps: Steps
    n: Copies = 1
    reading: Reading = "plain"  # type: ignore[assignment]
    start: Start = "zero"  # type: ignore[assignment]
    dtype: Dtype = "float64"  # type: ignore[assignment]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> Any:
        """Return a bank whose weights are zero, or drawn and projected."""
        bank = initial_bank(cls, sizes, seed, params)
        for k in range(sizes.labels):
            for i in range(bank.n):
                project(bank, k, i)
        return bank


@implements(vote, Ogd)
def _(bank: Ogd, x: Row, out: Floats) -> None:
    labels, n = out.shape
    dot(x, bank.weights, bank.margins)
    factor = unit(bank, x)
    for k in range(labels):
        for i in range(n):
            total = bank.margins[k * n + i] + (bank.bias[k, i] if bank.reading == SMOOTH else 0.0)
            margin = bank.shrink[k, i] * total * factor
            bank.margins[k * n + i] = margin
            out[k, i] = margin if bank.reading == PLAIN else min(1.0, max(-1.0, margin))


@implements(train, Ogd)
def _(bank: Ogd, x: Row, label: int, y: float, weights: Floats) -> None:
    factor = unit(bank, x)
    if factor == 0.0:
        return
    n = weights.shape[0]
    at = label * n
    for i in range(n):
        bank.given[label, i] += weights[i] * weights[i]
        root = math.sqrt(bank.given[label, i])
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
        project(bank, label, i)


@no_refcount
@kernel
def unit(bank: Any, x: Row) -> float:
    """Return what brings a row, with its bias if it has one, to length 1; 0 for an empty row."""
    total = squared_norm(x) + (1.0 if bank.reading == SMOOTH else 0.0)
    return 1.0 / math.sqrt(total) if total > 0.0 else 0.0


@no_refcount
@kernel
def project(bank: Any, label: int, i: int) -> None:
    """Bring the weights of one copy back into the unit ball."""
    if bank.squares[label, i] > 1.0:
        bank.shrink[label, i] /= math.sqrt(bank.squares[label, i])
        bank.squares[label, i] = 1.0
    if bank.shrink[label, i] < SMALLEST:
        at = label * bank.n
        for j in range(bank.weights.shape[0]):
            bank.weights[j, at + i] *= bank.shrink[label, i]
        bank.bias[label, i] *= bank.shrink[label, i]
        bank.shrink[label, i] = 1.0
