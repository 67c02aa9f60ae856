"""The table that sets learners side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence

from onebit.experiment.summary import by_learner, summarise
from onebit.experiment.trial import Result
from onebit.recipe import Recipe

_HEADER = ("learner", "seeds", "mean", "sd", "median", "slope", "us/round")


def comparison(results: Sequence[Result]) -> str:
    """Return a table of errors over seeds, best mean first. Errors are fractions."""
    if not results:
        return "no results"
    summaries = sorted(
        (summarise(group) for group in by_learner(results).values()), key=lambda s: s.mean
    )
    rows = [
        (Recipe.parse(s.learner).brief, str(s.seeds), _five(s.mean), _five(s.sd),
         _five(s.median), "" if math.isnan(s.slope) else f"{s.slope:.2f}", f"{s.us_per_round:.3f}")
        for s in summaries
    ]  # fmt: skip
    widths = [max(map(len, column)) for column in zip(_HEADER, *rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if n == 0 else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in (_HEADER, *rows)
    ]
    title = f"{results[0].stream}, {results[0].rounds:,} rounds: error of played labels"
    note = "slope: of the mean curve, log-log, over its last two decades"
    return "\n".join([title, *lines, note])


def _five(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.5f}"
