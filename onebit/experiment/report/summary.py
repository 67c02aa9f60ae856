"""Numbers over seeds: mean, spread, median, and the slope of a learning curve."""

from __future__ import annotations

import functools
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from onebit.agent.recipe import Recipe
from onebit.errors import printable
from onebit.experiment.report.resampling import bootstrap_error, lowest_mean
from onebit.experiment.run.regret import pseudo_regret
from onebit.experiment.run.sweep import choose_best
from onebit.experiment.run.trial import Result
from onebit.streams.file import parse_spec
from onebit.streams.opening import is_file


class Summary(NamedTuple):
    """The results of one learner over its seeds."""

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
    """Return the recipe of a result's learner, parsed once for each spec."""
    return Recipe.parse(learner)


def stream_name(stream: str) -> str:
    """Return the spec of a stream for a title; of a file its name alone."""
    if not is_file(stream):
        return stream
    path = parse_spec(stream).name
    return "standard input" if path == "-" else printable(Path(path).name)


def whole_runs(results: Iterable[Result]) -> list[Result]:
    """Return the results of all rounds, without those that Ctrl-C cut off."""
    return [result for result in results if not result.interrupted]


def cut_off_texts(results: Iterable[Result]) -> list[list[str]]:
    """Return learner, seed, rounds and error of each run that Ctrl-C cut off, as texts."""
    return [
        [recipe_of(r.learner).brief, str(r.seed), f"{r.rounds:,}", f"{r.error:.5f}"]
        for r in results
        if r.interrupted
    ]


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
        _sd(errors),
        statistics.median(errors),
        slope(*mean_curve(results)),
        statistics.median(result.us_per_round for result in results),
        _mean_regret(results),
        pseudo_regret(
            [result.mistakes for result in results], [result.fixed_mistakes for result in results]
        ),
    )


class GridSummary(NamedTuple):
    """The number of a grid of results: at its best point, and chosen on other seeds.

    `value` is at the best `point` on the same seeds, which is biased low, `sd` over its single
    runs, and `se` the standard error of `value`. `other` and `other_sd` are those of points
    chosen on the other half of the seeds, nan without a grid. `median`, `low` and `high` are
    over the `runs` of the best point.
    """

    point: str
    value: float
    sd: float
    se: float
    runs: int
    other: float
    other_sd: float
    median: float
    low: float
    high: float


def summarise_grid(
    quantity: str, grid: Mapping[str, Sequence[Result]], together: int = 0
) -> GridSummary:
    """Return the error or the slope of a grid of results; a grid may have a single point.

    The best error is the lowest mean over all runs, or over so many runs `together`, as
    `resampling.lowest_mean` has it.
    """
    best = choose_best(grid)
    results = grid[best.point]
    if quantity == "slope":
        rounds, rates = curves(results)
        slopes = [slope(rounds, row) for row in rates]
        se = bootstrap_error(
            lambda drawn: slopes_of(rounds, rates[drawn].mean(axis=1)), len(results)
        )
        unknown = math.nan, math.nan
        return GridSummary(
            best.point, slope(*mean_curve(results)), _sd(slopes), se, len(results), *unknown,
            *_range(slopes),
        )  # fmt: skip
    errors = np.array([[result.error for result in group] for group in grid.values()])
    value, se = lowest_mean(errors, together or errors.shape[1])
    other = (best.other, best.other_sd) if len(grid) > 1 else (math.nan, math.nan)
    return GridSummary(
        best.point, value, best.same_sd, se, len(results), *other,
        *_range([result.error for result in results]),
    )  # fmt: skip


def computing_seconds(results: Iterable[Result]) -> float:
    """Return the time that trials took; rows shared by trials of one stream count once."""
    making: dict[tuple[object, ...], float] = {}
    kernels = 0.0
    for result in results:
        kernel = result.us_per_round * result.rounds / 1e6
        kernels += kernel
        stream = (result.stream, result.seed, result.rounds, *result.transforms)
        making[stream] = max(making.get(stream, 0.0), result.seconds - kernel)
    return kernels + sum(making.values())


def curves(results: Sequence[Result]) -> tuple[list[int], np.ndarray]:
    """Return the rounds that all curves have, and the error rates (one row a seed)."""
    found = [dict(result.curve) for result in results]
    rounds = [point for point in found[0] if all(point in curve for curve in found)]
    mistakes = np.array([[curve[point] for point in rounds] for curve in found], float)
    return rounds, mistakes / np.array(rounds)


def mean_curve(results: Sequence[Result]) -> tuple[list[int], np.ndarray]:
    """Return the rounds and the mean error rate over seeds."""
    rounds, errors = curves(results)
    return rounds, errors.mean(axis=0)


def slope(rounds: Sequence[int], errors: np.ndarray) -> float:
    """Return the log-log slope of a curve, fitted on its last two decades.

    Least squares over the points of the curve, which lie ten to a decade; nan for fewer than
    three.
    """
    return float(slopes_of(rounds, errors[np.newaxis])[0])


def slopes_of(rounds: Sequence[int], errors: np.ndarray) -> np.ndarray:
    """Return the slopes of several curves, a row each; points without an error do not count."""
    late = np.array(rounds) >= rounds[-1] / 100
    errors = errors[:, late]
    counts = errors > 0
    number = counts.sum(axis=1, keepdims=True)
    x = np.broadcast_to(np.log10(np.array(rounds)[late]), errors.shape) * counts
    y = np.log10(np.where(counts, errors, 1.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        x = (x - x.sum(axis=1, keepdims=True) / number) * counts
        y = (y - y.sum(axis=1, keepdims=True) / number) * counts
        found = (x * y).sum(axis=1) / (x * x).sum(axis=1)
    return np.where(number[:, 0] < 3, np.nan, found)


def _range(values: Sequence[float]) -> tuple[float, float, float]:
    return statistics.median(values), min(values), max(values)


def _sd(values: Sequence[float]) -> float:
    return statistics.stdev(values) if len(values) > 1 else math.nan


def _mean_regret(results: Sequence[Result]) -> float:
    """Return the mean regret, nan if a result has none."""
    found = [result.regret for result in results if result.regret is not None]
    return statistics.fmean(found) if len(found) == len(results) else math.nan
