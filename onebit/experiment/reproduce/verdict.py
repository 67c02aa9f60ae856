"""The verdict rule: whether our number reproduces the published one.

Two means are compared by the standard error of their difference. The window around the
published number is two such errors, and half a unit of its last printed digit. Where the paper
prints a deviation, our standard error must be at most the paper's to count as reproduced: else
a few runs, with a wide window, would agree with everything.
"""

from __future__ import annotations

import math

from onebit.experiment.papers import PUBLISHED_RUNS, Number

REPRODUCED, LOWER, HIGHER = "reproduced", "lower", "higher"
UNDECIDED, NOT_RUN = "undecided", "not run"
#: All words, in the order in which they are counted.
WORDS = (REPRODUCED, LOWER, HIGHER, UNDECIDED, NOT_RUN)


def verdict(value: float, se: float, published: Number) -> str:
    """Return the word for our mean, with its standard error, beside a published number.

    Inside the window it is reproduced, unless our standard error is unknown (nan), or larger
    than a printed one: then it is undecided. Outside it is lower or higher.
    """
    if math.isnan(value) or math.isnan(se):
        return UNDECIDED
    if abs(value - published.value) > window(se, published):
        return LOWER if value < published.value else HIGHER
    return UNDECIDED if published.has_spread and se > published.se else REPRODUCED


def window(se: float, published: Number) -> float:
    """Return how far a reproduced mean may be from the published number."""
    return 2.0 * math.hypot(se, published.se) + published.unit / 2.0


def runs_needed(se: float, runs: int, published: Number, most: int) -> int:
    """Return how many runs, in tens, make our standard error at most the paper's."""
    if not published.has_spread or math.isnan(se) or se <= published.se:
        return runs
    wanted = runs * (se / published.se) ** 2 if published.se else most
    return max(runs, min(most, math.ceil(wanted / PUBLISHED_RUNS) * PUBLISHED_RUNS))


def chance_of_miss(se: float, runs: int, published: Number) -> float:
    """Return the probability of a difference beyond two standard errors if there is none.

    By Student's t with Welch's degrees of freedom, since the errors are estimated. Half a unit
    of the last digit, which the window adds for rounding, is left out.
    """
    parts = [(se**2, runs - 1), (published.se**2, PUBLISHED_RUNS - 1)]
    total = sum(square for square, _ in parts)
    if not total or math.isnan(total):
        return 0.0
    spread = sum(square**2 / freedom for square, freedom in parts if square)
    return _beyond_two(total**2 / spread)


def _beyond_two(freedom: float) -> float:
    """Return P(|t| > 2) for Student's t, by Simpson's rule on its density."""
    steps = 200
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2))
    scale /= math.sqrt(freedom * math.pi)

    def density(t: float) -> float:
        return scale * math.exp(-(freedom + 1) / 2 * math.log1p(t * t / freedom))

    inner = sum((4 if n % 2 else 2) * density(2.0 * n / steps) for n in range(1, steps))
    return 1.0 - 2.0 * (density(0.0) + inner + density(2.0)) * (2.0 / steps) / 3.0
