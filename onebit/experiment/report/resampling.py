"""Standard errors of statistics of runs, by drawing runs again.

The draws are fixed, so that a report is the same each time, and made once.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np

from onebit.kernel.rng import key, uniforms
from onebit.kernel.rows import Floats

#: How often runs are drawn again.
RESAMPLES = 1000


def bootstrap_error(statistic: Callable[[np.ndarray], object], runs: int) -> float:
    """Return the standard error of a statistic of runs, nan for a single one.

    `statistic` is given lists of runs (a row each, drawn with replacement) and returns a
    value for each. The variance is that of the draws times n / (n - 1).
    """
    if runs < 2:
        return math.nan
    values = np.asarray(statistic(_draws(runs)), float)
    return float(values.std() * math.sqrt(runs / (runs - 1)))


def lowest_mean(errors: Floats, together: int) -> tuple[float, float]:
    """Return the lowest mean of the points of a grid, and its standard error.

    `errors` has a row for each point and a column for each run. The lowest of several means is
    biased low, the more so the fewer runs are in a mean. To compare with a minimum over means
    of `together` runs, ours is the average of such minima over random groups of that size.
    """
    points, runs = errors.shape
    return _lowest_mean((points, runs), errors.astype(float).tobytes(), together)


@functools.lru_cache(maxsize=1000)
def _lowest_mean(shape: tuple[int, int], content: bytes, together: int) -> tuple[float, float]:
    """Return `lowest_mean` of an array, by its shape and its bytes."""
    errors = np.frombuffer(content).reshape(shape)
    points, runs = shape
    if points == 1:
        se = errors[0].std(ddof=1) / math.sqrt(runs) if runs > 1 else math.nan
        return float(errors[0].mean()), float(se)
    together = min(together, runs)
    groups = runs // together

    def lowest(drawn: np.ndarray) -> Floats:
        chosen = errors[:, drawn[:, : groups * together]]
        means = chosen.reshape(points, len(drawn), groups, together).mean(axis=3)
        found: Floats = means.min(axis=0).mean(axis=1)
        return found

    if groups == 1 and runs == together:
        value = errors.mean(axis=1).min()
    else:
        value = lowest(_orders(runs)).mean()
    return float(value), bootstrap_error(lowest, runs)


@functools.cache
def _draws(runs: int) -> np.ndarray:
    """Return so many runs drawn with replacement, a row for each resample."""
    drawn = (uniforms(key(0, "bootstrap"), 0, RESAMPLES * runs) * runs).astype(np.int64)
    return drawn.reshape(RESAMPLES, runs)


@functools.cache
def _orders(runs: int) -> np.ndarray:
    """Return random orders of so many runs, a row for each resample."""
    order = uniforms(key(0, "groups of runs"), 0, RESAMPLES * runs).reshape(RESAMPLES, runs)
    return np.argsort(order, axis=1)
