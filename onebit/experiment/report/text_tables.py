"""The tables that `compare` and `sweep` print."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from onebit import learners
from onebit.experiment.report.summary import (
    by_learner,
    cut_off_texts,
    recipe_of,
    stream_name,
    summarise,
    whole_runs,
)
from onebit.experiment.run.sweep import choose_best
from onebit.experiment.run.trial import Result

_HEADER = ("learner", "seeds", "mean", "sd", "median", "slope", "us/round", "regret", "pseudo")


def comparison_table(results: Sequence[Result]) -> str:
    """Return a table of errors over seeds, best mean first. Errors are fractions.

    Runs that Ctrl-C cut off are in no mean; they are listed below the table.
    """
    whole = whole_runs(results)
    parts = [_whole_table(whole)] if whole else ["no finished results"]
    cut_off = cut_off_texts(results)
    if cut_off:
        lines = _lines(("cut off by Ctrl-C, in no mean", "seed", "rounds", "error"), cut_off)
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _whole_table(results: Sequence[Result]) -> str:
    summaries = sorted(
        (summarise(group) for group in by_learner(results).values()), key=lambda s: s.mean
    )
    rows: list[tuple[str, ...]] = [
        (recipe_of(s.learner).brief, str(s.seeds), _five(s.mean), _five(s.sd),
         _five(s.median), "" if math.isnan(s.slope) else f"{s.slope:.2f}", f"{s.us_per_round:.3f}",
         _whole(s.expected_regret), _whole(s.pseudo_regret))
        for s in summaries
    ]  # fmt: skip
    title = f"{_played(results)}: error of played labels"
    note = "slope: of the mean curve, log-log, over its last two decades"
    if len(rows) > 1 and all(s.seeds == 1 for s in summaries):
        note += "\none seed: --seeds 10 shows how much is chance"
    header: tuple[str, ...] = _HEADER
    if shows_regret(results):
        note += (
            f"\nregret: mistakes beyond the best of all fixed {results[0].fixed}, mean over seeds;"
            " pseudo: beyond the one that is best over all seeds"
        )
    else:
        header, rows = header[:-2], [row[:-2] for row in rows]
    return "\n".join([title, *_lines(header, rows), note])


def shows_regret(results: Sequence[Result]) -> bool:
    """Return whether regret is shown: only if learners compete with nothing but fixed choices.

    A learner that reads features should beat every fixed label by far.
    """
    rows = {learners.traits(recipe_of(result.learner).kind).row for result in results}
    return results[0].fixed == "hypotheses" or rows == {"nothing"}


def sweep_table(name: str, grid: Mapping[str, Sequence[Result]]) -> str:
    """Return a table of errors over a grid of one parameter, in the grid's order."""
    rows = [
        (point, str(s.seeds), _five(s.mean), _five(s.sd), _five(s.median))
        for point, s in ((point, summarise(results)) for point, results in grid.items())
    ]
    best = choose_best(grid)
    lines = [f"best on these seeds: {name}={best.point}, error {_spread(best.same, best.same_sd)}"]
    if len(grid) > 2 and best.point in (next(iter(grid)), list(grid)[-1]):
        lines[0] += ", at the end of the grid"
    if not math.isnan(best.other):
        lines.append(
            f"chosen on the other half of the seeds: error {_spread(best.other, best.other_sd)}"
        )
    first = next(iter(grid.values()))
    title = f"{first[0].learner.partition(':')[0]} on {_played(first)}: error of played labels"
    return "\n".join([title, *_lines((name, "seeds", "mean", "sd", "median"), rows), *lines])


def _played(results: Sequence[Result]) -> str:
    """Return the stream and its length, for a title."""
    stream = " with ".join([stream_name(results[0].stream), *results[0].transforms])
    return f"{stream}, {results[0].rounds:,} rounds"


def _spread(mean: float, sd: float) -> str:
    return _five(mean) if math.isnan(sd) else f"{_five(mean)} (sd {_five(sd)})"


def _lines(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as columns, the first aligned left, the others right."""
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


def _whole(value: float) -> str:
    return "" if math.isnan(value) else f"{value:,.0f}"
