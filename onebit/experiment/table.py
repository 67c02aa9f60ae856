"""The table that sets learners side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from onebit.experiment.summary import by_learner, summarise
from onebit.experiment.sweep import choose
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
    title = f"{results[0].stream}, {results[0].rounds:,} rounds: error of played labels"
    note = "slope: of the mean curve, log-log, over its last two decades"
    return "\n".join([title, *_lines(_HEADER, rows), note])


def sweep_table(name: str, grid: Mapping[str, Sequence[Result]]) -> str:
    """Return a table of errors over a grid of one parameter, in the grid's order."""
    rows = [
        (point, str(s.seeds), _five(s.mean), _five(s.sd), _five(s.median))
        for point, s in ((point, summarise(results)) for point, results in grid.items())
    ]
    best = choose(grid)
    lines = [f"best on these seeds: {name}={best.point}, error {_spread(best.same, best.same_sd)}"]
    if not math.isnan(best.other):
        lines.append(
            f"chosen on the other half of the seeds: error {_spread(best.other, best.other_sd)}"
        )
    return "\n".join([*_lines((name, "seeds", "mean", "sd", "median"), rows), *lines])


def _spread(mean: float, sd: float) -> str:
    return _five(mean) if math.isnan(sd) else f"{_five(mean)} (sd {_five(sd)})"


def _lines(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of text in columns, the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if n == 0 else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in (header, *rows)
    ]


def _five(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.5f}"
