"""Ours beside the paper's: the number, its spread, and what to make of it."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from onebit.experiment.report.summary import curves, mean_curve, slope
from onebit.experiment.run.sweep import choose
from onebit.experiment.run.trial import Result


class Ours(NamedTuple):
    """Our number for a cell: with its point of the grid, told both ways."""

    point: str
    value: float
    sd: float
    other: float
    other_sd: float
    median: float
    low: float
    high: float


def ours(quantity: str, grid: Mapping[str, Sequence[Result]]) -> Ours:
    """Return our number for a grid of results (a grid of one point if there is none)."""
    best = choose(grid)
    results = grid[best.point]
    if quantity == "slope":
        rounds, rates = curves(results)
        single = [slope(rounds, row) for row in rates]
        value = slope(*mean_curve(results))
        return Ours(best.point, value, _sd(single), math.nan, math.nan, *_range(single))
    errors = [result.error for result in results]
    other = (best.other, best.other_sd) if len(grid) > 1 else (math.nan, math.nan)
    return Ours(best.point, best.same, best.same_sd, *other, *_range(errors))


def verdict(value: float, sd: float, published: float, published_sd: float) -> str:
    """Return the verdict: within two standard deviations of the difference, or not.

    The deviations are over single runs, the paper's and ours. Lower is better.
    """
    near = 2 * math.sqrt(_number(sd) ** 2 + published_sd**2)
    if abs(value - published) <= near:
        return "reproduced"
    return "better" if value < published else "not reproduced"


def _range(values: Sequence[float]) -> tuple[float, float, float]:
    return statistics.median(values), min(values), max(values)


def _sd(values: Sequence[float]) -> float:
    return statistics.stdev(values) if len(values) > 1 else math.nan


def _number(value: float) -> float:
    return 0.0 if math.isnan(value) else value
