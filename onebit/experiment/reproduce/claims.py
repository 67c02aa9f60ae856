"""Claims: what a paper concludes in words, tested on our runs.

A test answers yes, no or unclear for each case of a claim, by two standard errors of a
difference over the same runs. A claim holds if all its cases say yes, does not hold if all
say no, and else depends; cases that were not run are counted beside the word.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from onebit.experiment.papers import Claim
from onebit.experiment.report.summary import GridSummary, curves
from onebit.experiment.report.table import Table, Value
from onebit.experiment.reproduce.plan import PlannedCell, PlannedClaim
from onebit.experiment.reproduce.refinement import rate
from onebit.experiment.run.trial import Result, Trial
from onebit.kernel.rows import Floats

HOLDS, DOES_NOT_HOLD, DEPENDS, NOT_RUN = "holds", "does not hold", "depends", "not run"
YES, NO, UNCLEAR = "yes", "no", "unclear"
#: "Little difference": at most this share of the larger error.
LITTLE = 0.1
_HEADER = ("claim", "where", "evidence", "word")


class Evidence(NamedTuple):
    """The runs of a cell: its number, and its results by grid point."""

    summary: GridSummary
    grid: Mapping[str, Sequence[Result]]

    @property
    def best(self) -> Sequence[Result]:
        """The results at the best point."""
        return self.grid[self.summary.point]


class Answer(NamedTuple):
    """Yes, no or unclear, and the figures behind it."""

    word: str
    figures: str


def claim_table(claims: Sequence[PlannedClaim], results: Mapping[Trial, Result]) -> Table:
    """Return the table of claims: each with its evidence and its word."""
    rows: list[Sequence[Value]] = []
    for planned in claims:
        claim = planned.claim
        words, texts = [], []
        for case, cells in zip(claim.cases, planned.cases, strict=True):
            if not cells or not all(cell.is_done(results) for cell in cells):
                texts.append(f"{case.name}: not run")
                continue
            answer = TESTS[claim.test](claim, [_evidence(cell, results) for cell in cells])
            words.append(answer.word)
            texts.append(f"{case.name}: {answer.word}, {answer.figures}")
        word = _word(words, len(claim.cases))
        rows.append([claim.text, claim.source, "; ".join(texts), word])
    return Table(_HEADER, rows, Table(("claim", "word"), [[row[0], row[3]] for row in rows]))


def _word(words: Sequence[str], cases: int) -> str:
    """Return the word for a claim, from those of its cases that were run, and how many were not."""
    if not words:
        return NOT_RUN
    alike = {YES: HOLDS, NO: DOES_NOT_HOLD}
    word = alike.get(words[0], DEPENDS) if len({*words}) == 1 else DEPENDS
    missing = cases - len(words)
    return f"{word} ({missing} of {cases} not run)" if missing else word


def _evidence(planned: PlannedCell, found: Mapping[Trial, Result]) -> Evidence:
    return Evidence(planned.summarise(found), planned.results(found))


def _difference(one: Sequence[Result], two: Sequence[Result]) -> tuple[float, float]:
    """Return the mean difference of errors over the runs that both have, and twice its error."""
    pairs = zip(one, two, strict=False)
    gaps = np.array([a.error - b.error for a, b in pairs])
    return float(gaps.mean()), _doubt(gaps)


def _doubt(values: Floats) -> float:
    """Return two standard errors of the mean of some runs."""
    return 2.0 * float(values.std(ddof=1)) / math.sqrt(len(values))


def _is_below(gap: float, doubt: float) -> str:
    """Return whether a difference is below 0 beyond doubt."""
    return YES if gap < -doubt else NO if gap > doubt else UNCLEAR


def lower(claim: Claim, cells: Sequence[Evidence]) -> Answer:
    """Whether the first learner errs less than the second."""
    one, two = cells
    gap, doubt = _difference(one.best, two.best)
    return Answer(_is_below(gap, doubt), f"{_errors(one, two)} ({_percent(gap, doubt)})")


def alike(claim: Claim, cells: Sequence[Evidence]) -> Answer:
    """Whether two learners err almost equally often."""
    one, two = cells
    gap, doubt = _difference(one.best, two.best)
    little = LITTLE * max(one.summary.value, two.summary.value)
    word = _is_below(abs(gap) - little, doubt)
    return Answer(word, f"{_errors(one, two)} ({_percent(gap, doubt)})")


def inside(claim: Claim, cells: Sequence[Evidence]) -> Answer:
    """Whether both ends of a grid, as wide as it was drawn, are worse than a point inside it."""
    grid = cells[0].grid
    order = sorted(grid, key=rate)
    seeds = min(map(len, grid.values()))
    means = {p: float(np.mean([r.error for r in grid[p][:seeds]])) for p in order}
    best = min(order, key=lambda point: means[point])
    ends = (order[0], order[-1])
    words = [NO if end == best else _is_below(*_difference(grid[best], grid[end])) for end in ends]
    word = NO if NO in words else UNCLEAR if UNCLEAR in words else YES
    shown = dict.fromkeys((order[0], best, order[-1]))
    return Answer(word, ", ".join(f"{_error(means[p])} at {p}" for p in shown))


def moves(claim: Claim, cells: Sequence[Evidence]) -> Answer:
    """Whether the best point of the second grid is higher: each is worse at the other's."""
    one, two = cells
    low, high = one.summary.point, two.summary.point
    figures = f"best at {low}, then at {high}"
    if rate(low) >= rate(high):
        return Answer(NO, figures)
    words = {
        _is_below(*_difference(one.grid[low], one.grid[high])),
        _is_below(*_difference(two.grid[high], two.grid[low])),
    }
    return Answer(YES if words == {YES} else UNCLEAR, figures)


def slope_near(claim: Claim, cells: Sequence[Evidence]) -> Answer:
    """Whether the slope of a curve is within a tenth of a value."""
    summary = cells[0].summary
    gap = abs(summary.value - claim.value) - LITTLE
    return Answer(_is_below(gap, 2.0 * summary.se), _slope(summary))


def slope_below(claim: Claim, cells: Sequence[Evidence]) -> Answer:
    """Whether a curve falls faster than with a value's slope."""
    summary = cells[0].summary
    return Answer(_is_below(summary.value - claim.value, 2.0 * summary.se), _slope(summary))


def slopes_alike(claim: Claim, cells: Sequence[Evidence]) -> Answer:
    """Whether the slopes of two curves differ by at most a tenth."""
    one, two = (cell.summary for cell in cells)
    gap = abs(one.value - two.value) - LITTLE
    return Answer(
        _is_below(gap, 2.0 * math.hypot(one.se, two.se)), f"{_slope(one)} and {_slope(two)}"
    )


def steeper(claim: Claim, cells: Sequence[Evidence]) -> Answer:
    """Whether the first curve falls faster than the second."""
    one, two = (cell.summary for cell in cells)
    word = _is_below(one.value - two.value, 2.0 * math.hypot(one.se, two.se))
    return Answer(word, f"{_slope(one)} and {_slope(two)}")


def falls_late(claim: Claim, cells: Sequence[Evidence]) -> Answer:
    """Whether the error falls by less than half up to a round, and by more than half after it."""
    rounds, errors = curves(cells[0].best)
    early, turn, last = _at(rounds, errors, claim.value / 100), _at(rounds, errors, claim.value), -1
    before = 0.5 - errors[:, turn] / errors[:, early]
    after = errors[:, last] / errors[:, turn] - 0.5
    words = {_is_below(each.mean(), _doubt(each)) for each in (before, after)}
    places = ", ".join(
        f"{100 * np.mean(errors[:, n]):.1f} at {rounds[n]:,}" for n in (early, turn, last)
    )
    return Answer(YES if words == {YES} else NO if NO in words else UNCLEAR, places)


def overtakes(claim: Claim, cells: Sequence[Evidence]) -> Answer:
    """Whether the first learner errs more at a hundredth of the rounds, and less at the end."""
    one, two = (curves(cell.best) for cell in cells)
    early = _at(one[0], one[1], one[0][-1] / 100)
    figures = []
    words = []
    for place, sign in ((early, -1.0), (-1, 1.0)):
        count = min(len(one[1]), len(two[1]))
        gaps = sign * (one[1][:count, place] - two[1][:count, place])
        words.append(_is_below(gaps.mean(), _doubt(gaps)))
        means = [100 * float(errors[:, place].mean()) for errors in (one[1], two[1])]
        figures.append(f"{means[0]:.1f} against {means[1]:.1f} at {one[0][place]:,}")
    word = YES if {*words} == {YES} else NO if NO in words else UNCLEAR
    return Answer(word, ", ".join(figures))


def _at(rounds: Sequence[int], errors: Floats, wanted: float) -> int:
    """Return the place of the first point of a curve from a round on."""
    return next(n for n, each in enumerate(rounds) if each >= wanted)


def _errors(one: Evidence, two: Evidence) -> str:
    means = [float(np.mean([r.error for r in cell.best])) for cell in (one, two)]
    return " against ".join(map(_error, means))


def _error(mean: float) -> str:
    """Return an error in percent."""
    return f"{100 * mean:.{1 if mean >= 0.01 else 3}f}"


def _percent(gap: float, doubt: float) -> str:
    digits = 1 if abs(gap) >= 0.002 else 3
    return f"{100 * gap:+.{digits}f} ± {100 * doubt:.{digits}f}"


def _slope(summary: GridSummary) -> str:
    return f"slope {summary.value:.2f} ± {2.0 * summary.se:.2f}"


TESTS: dict[str, Callable[[Claim, Sequence[Evidence]], Answer]] = {
    "lower": lower,
    "alike": alike,
    "inside": inside,
    "moves": moves,
    "slope near": slope_near,
    "slope below": slope_below,
    "slopes alike": slopes_alike,
    "steeper": steeper,
    "falls late": falls_late,
    "overtakes": overtakes,
}
