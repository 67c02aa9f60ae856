"""Columns of numbers: weighted means and spreads, and how likely a number is under them.

A spread is the weighted sum of squared distances from the mean. Whoever has seen
nothing of a column takes it to be as it is everywhere: every estimate begins with one
imagined row that has the mean and the variance of all rows together. So nothing depends
on a column's unit or zero.
"""

from __future__ import annotations

import math

from onebit.kernel.rows import Floats
from onebit.kernel.verbs import kernel, no_refcount


@no_refcount
@kernel
def include(total: float, weight: float, x: float, means: Floats, spreads: Floats, i: int) -> None:
    """Add a number to mean and spread i, whose weight so far is `total` (Welford 1962)."""
    if weight > 0.0:
        away = x - means[i]
        means[i] += weight / (total + weight) * away
        spreads[i] += weight * away * (x - means[i])


@no_refcount
@kernel
def pool(
    total: float, mean: float, spread: float, total2: float, mean2: float, spread2: float
) -> tuple[float, float, float]:
    """Return weight, mean and spread of two groups together."""
    whole = total + total2
    if whole == 0.0:
        return 0.0, 0.0, 0.0
    away = mean2 - mean
    both = spread + spread2 + total / whole * total2 * away * away
    return whole, mean + total2 / whole * away, both


@no_refcount
@kernel
def likelihood(
    x: float, total: float, mean: float, spread: float, usual: float, variance: float
) -> float:
    """Return the logarithm of the normal density, up to a constant.

    `usual` and `variance` are those of all rows; the variance must be above 0.
    """
    whole = total + 1.0
    share, away = total / whole, mean - usual
    v = (spread + share * away * away + variance) / whole
    off = x - (usual + share * away)
    return -0.5 * (math.log(v) + off * off / v)
