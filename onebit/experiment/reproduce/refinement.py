"""What a plan still has to run once its first results are there.

A judged cell runs more orders until its mean is as exact as the published one. A grid of
exploration rates is drawn wider until its best point is inside it, down to one explored round
a run; the new points are drawn, not judged. Neither looks at whether a number agrees.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from onebit.experiment.reproduce.plan import Plan, PlannedCell
from onebit.experiment.reproduce.verdict import runs_needed
from onebit.experiment.run.trial import Result, Trial
from onebit.naming.params import Real

#: Parameters whose grids are drawn wider: shares of rounds that explore.
WIDENED = ("gamma", "delta")
#: The last point of a grid that is drawn wider, before all rounds explore.
HIGHEST = 0.9


class Refinement:
    """Plans that grow while their trials run.

    What a cell still needs depends on its own results alone, so that the trials in the end are
    the same in whichever order they run.
    """

    def __init__(self, plans: Sequence[Plan]) -> None:
        self.plans = list(plans)
        self.trials: list[Trial] = []
        self._update()

    def further_trials(self, results: Mapping[Trial, Result]) -> list[Trial]:
        """Return all trials, given the results so far; those that ran before come first."""
        self.plans = [refine(plan, results) for plan in self.plans]
        self._update()
        return self.trials

    def _update(self) -> None:
        every = (trial for plan in self.plans for trial in plan.trials)
        self.trials = list(dict.fromkeys([*self.trials, *every]))


def refine(plan: Plan, results: Mapping[Trial, Result]) -> Plan:
    """Return a plan with the trials that it still needs; an equal one if there are none."""

    def refined(cells: list[PlannedCell]) -> list[PlannedCell]:
        return [_refine_cell(plan, planned, results) for planned in cells]

    claims = [
        planned._replace(cases=[refined(cells) for cells in planned.cases])
        for planned in plan.claims
    ]
    return plan._replace(cells=refined(plan.cells), claims=claims)


def _refine_cell(plan: Plan, planned: PlannedCell, results: Mapping[Trial, Result]) -> PlannedCell:
    """Return a cell with more orders and points, where it needs them and all its runs ended."""
    if not planned.is_done(results):
        return planned
    cell = planned.cell
    trials = dict(planned.trials)
    if cell.published is not None and cell.published.has_spread and cell.judged:
        summary = planned.summarise(results)
        runs = runs_needed(summary.se, summary.runs, cell.published, plan.experiment.most_seeds)
        if runs > summary.runs:
            trials |= {point: planned.trials_at(point, runs) for point in planned.judged}
    if cell.over.partition("=")[0] in WIDENED and len(trials) > 1:
        point = _point_beyond(planned.results(results))
        if point and point not in trials:
            trials[point] = planned.trials_at(point, cell.seeds or plan.seeds)
    return planned._replace(trials=trials)


def _point_beyond(grid: Mapping[str, Sequence[Result]]) -> str:
    """Return the next point beyond that end of a grid which has its lowest error, "" if none."""
    order = sorted(grid, key=rate)
    best = min(order, key=lambda point: statistics.fmean(r.error for r in grid[point]))
    if best == order[0]:
        beyond = next_point(best, up=False)
        return beyond if rate(beyond) * grid[best][0].rounds >= 1.0 else ""
    if best == order[-1] and rate(best) < HIGHEST:
        beyond = next_point(best, up=True)
        return beyond if rate(beyond) < 1.0 else f"{best.partition('=')[0]}={HIGHEST}"
    return ""


def next_point(edge: str, up: bool) -> str:
    """Return the point after the edge of a grid of powers, or of 1 and 3 a decade."""
    name, _, value = edge.partition("=")
    base, power, exponent = value.partition("^")
    if power:
        return f"{name}={base}^{int(exponent) + (1 if up else -1)}"
    digits = f"{rate(edge):.0e}"
    lead, decade = int(digits[0]), int(digits[2:])
    if up:
        lead, decade = (3, decade) if lead < 3 else (1, decade + 1)
    else:
        lead, decade = (1, decade) if lead > 1 else (3, decade - 1)
    return f"{name}={lead * 10.0**decade:.{max(0, -decade)}f}"


def rate(point: str) -> float:
    """Return the exploration rate of a point of a grid."""
    return Real("(0, inf)").read(point.partition("=")[2])
