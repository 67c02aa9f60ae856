"""A sweep: one learner over a grid of one parameter, and which point of it is best.

The best error of a grid is biased low when it is chosen and reported on the same
seeds. So two numbers are given: the best in the grid on the same seeds, and the
error when the point is chosen on the other half of the seeds.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from onebit.errors import BadInput
from onebit.experiment.run.trial import Result
from onebit.naming.params import short_repr

#: Points that a grid may have.
MOST_POINTS = 1000


class BestPoint(NamedTuple):
    """The best point of a grid, and its error, each with its standard deviation over seeds.

    `same` is its error on the seeds that it was chosen on, `other` the error if the point
    is chosen on the other half of the seeds.
    """

    point: str
    same: float
    same_sd: float
    other: float
    other_sd: float


def parse_grid(text: str) -> tuple[str, list[str]]:
    """Read `gamma=2^-14..2^-1`, `n=1..5` or `delta=0.01,0.03`: a name and its values."""
    name, equals, rest = text.partition("=")
    low, dots, high = rest.partition("..")
    if not (name and equals and rest and (high or not dots)):
        raise BadInput(
            f"onebit: --over takes NAME=LOW..HIGH or NAME=A,B,C, got {short_repr(text)}."
        )
    points = _between(low, high, text) if dots else rest.split(",")
    _check_count(len(points))
    return name, points


def with_parameter(spec: str, name: str, value: str) -> str:
    """Return a spec with one more parameter."""
    return f"{spec}{',' if ':' in spec else ':'}{name}={value}"


def _between(low: str, high: str, text: str) -> list[str]:
    """Return the steps of 1 from low to high, of the exponents if they are powers."""
    bases = {end.partition("^")[0] for end in (low, high) if "^" in end}
    ends = [end.partition("^")[2] if "^" in end else end for end in (low, high)]
    if len(bases) > 1 or ("^" in low) != ("^" in high) or not all(map(_is_whole, ends)):
        raise BadInput(
            "onebit: a range goes in whole steps, as 1..5, or over powers of one base, as"
            f" 2^-14..2^-1, got {short_repr(text)}."
        )
    first, last = map(int, ends)
    base = f"{bases.pop()}^" if bases else ""
    step = 1 if last >= first else -1
    _check_count(abs(last - first) + 1)
    return [f"{base}{n}" for n in range(first, last + step, step)]


def _check_count(count: int) -> None:
    """Raise BadInput if a grid has too many points."""
    if count > MOST_POINTS:
        raise BadInput(f"onebit: --over must have at most {MOST_POINTS:,} values, got {count:,}.")


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal() and len(text) < 1000


def choose_best(grid: Mapping[str, Sequence[Result]]) -> BestPoint:
    """Return the best point of a grid of results over the same seeds."""
    errors = {point: [result.error for result in results] for point, results in grid.items()}
    seeds = range(min(map(len, errors.values())))
    first, second = seeds[: len(seeds) // 2], seeds[len(seeds) // 2 :]
    best = _best_on(errors, seeds)
    chosen = [errors[_best_on(errors, second)][n] for n in first]
    if first:
        chosen += [errors[_best_on(errors, first)][n] for n in second]
    return BestPoint(best, _mean(errors[best]), _sd(errors[best]), _mean(chosen), _sd(chosen))


def _best_on(errors: Mapping[str, Sequence[float]], seeds: Sequence[int]) -> str:
    """Return the point with the lowest mean error on some of the seeds."""
    return min(errors, key=lambda point: sum(errors[point][n] for n in seeds))


def _mean(values: Sequence[float]) -> float:
    return statistics.fmean(values) if values else math.nan


def _sd(values: Sequence[float]) -> float:
    return statistics.stdev(values) if len(values) > 1 else math.nan
