"""Numbers over seeds: mean, spread, median, and the slope of a learning curve."""

from __future__ import annotations

import functools
import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from onebit.agent.recipe import Recipe
from onebit.experiment.run.regret import pseudo_regret
from onebit.experiment.run.trial import Result


class Summary(NamedTuple):
    """What the seeds of one learner say together."""

    learner: str
    seeds: int
    mean: float
    sd: float
    median: float
    slope: float
    us_per_round: float
    expected_regret: float = math.nan
    pseudo_regret: float = math.nan


@functools.cache
def recipe_of(learner: str) -> Recipe:
    """Return what the full spec of a result's learner stands for."""
    return Recipe.parse(learner)


def by_learner(results: Sequence[Result]) -> dict[str, list[Result]]:
    """Group results by learner, in the order in which the learners first appear."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(result.learner, []).append(result)
    return groups


def summarise(results: Sequence[Result]) -> Summary:
    """Summarise the results of one learner."""
    errors = [result.error for result in results]
    return Summary(
        results[0].learner,
        len(results),
        statistics.fmean(errors),
        statistics.stdev(errors) if len(errors) > 1 else math.nan,
        statistics.median(errors),
        slope(*mean_curve(results)),
        statistics.median(result.us_per_round for result in results),
        statistics.fmean(result.regret for result in results),
        pseudo_regret(
            [result.mistakes for result in results], [result.fixed_mistakes for result in results]
        ),
    )


def curves(results: Sequence[Result]) -> tuple[list[int], np.ndarray]:
    """Return the rounds that all curves have, and the error rates (one row a seed)."""
    length = min(len(result.curve) for result in results)
    rounds = [point for point, _ in results[0].curve[:length]]
    mistakes = np.array([[m for _, m in result.curve[:length]] for result in results], float)
    return rounds, mistakes / np.array(rounds)


def mean_curve(results: Sequence[Result]) -> tuple[list[int], np.ndarray]:
    """Return the rounds and the mean error rate over seeds."""
    rounds, errors = curves(results)
    return rounds, errors.mean(axis=0)


def slope(rounds: Sequence[int], errors: np.ndarray) -> float:
    """Return the log-log slope of a curve, fitted on its last two decades.

    Least squares over the points of the curve, which lie ten to a decade.
    """
    points = [
        (math.log10(n), math.log10(error))
        for n, error in zip(rounds, errors, strict=True)
        if n >= rounds[-1] / 100 and error > 0
    ]
    if len(points) < 3:
        return math.nan
    x, y = np.array(points).T
    x, y = x - x.mean(), y - y.mean()
    return float((x * y).sum() / (x * x).sum())
