"""Numeric columns: weighted means and squared deviations, and the log-likelihood of a number.

`ssd` is the weighted sum of squared deviations from the mean. Every estimate starts with one
imaginary row that has the mean and variance of all rows together, so that a group without
data has the overall distribution, and no estimate depends on a column's unit or origin.
"""

from __future__ import annotations

import math

from onebit.kernel.rows import Floats
from onebit.kernel.verbs import kernel


@kernel
def add_number(total: float, weight: float, x: float, means: Floats, ssds: Floats, i: int) -> None:
    """Update mean and ssd i, whose weight so far is `total`, with a number (Welford 1962)."""
    if weight > 0.0:
        offset = x - means[i]
        means[i] += weight / (total + weight) * offset
        ssds[i] += weight * offset * (x - means[i])


@kernel
def merge_groups(
    total: float, mean: float, ssd: float, total2: float, mean2: float, ssd2: float
) -> tuple[float, float, float]:
    """Return weight, mean and ssd of two groups together."""
    both = total + total2
    if both == 0.0:
        return 0.0, 0.0, 0.0
    offset = mean2 - mean
    merged = ssd + ssd2 + total / both * total2 * offset * offset
    return both, mean + total2 / both * offset, merged


@kernel
def log_likelihood(
    x: float, total: float, mean: float, ssd: float, overall_mean: float, variance: float
) -> float:
    """Return the logarithm of the normal density of x in a group, up to a constant.

    `overall_mean` and `variance` are those of all rows; the variance must be above 0.
    """
    weight = total + 1.0
    share, offset = total / weight, mean - overall_mean
    v = (ssd + share * offset * offset + variance) / weight
    residual = x - (overall_mean + share * offset)
    return -0.5 * (math.log(v) + residual * residual / v)
