"""The trials of an experiment: its specs resolved once, for running and for reporting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from onebit.experiment.papers import PUBLISHED_RUNS, BoundCheck, Cell, Claim, Experiment, Paper
from onebit.experiment.report.summary import GridSummary, summarise_grid
from onebit.experiment.reproduce.bound_checks import needs_fit
from onebit.experiment.run.sweep import parse_grid, with_parameter
from onebit.experiment.run.trial import Result, Trial
from onebit.naming.spec import Spec


class PlannedCell(NamedTuple):
    """A cell and its trials, one for each seed, by the points of its grid.

    The published number is judged at the points of the cell's own grid; others are drawn.
    """

    cell: Cell
    trials: dict[str, list[Trial]]

    @property
    def judged(self) -> list[str]:
        """The points of the cell's own grid."""
        return list(_points(self.cell))

    def trials_at(self, point: str, seeds: int) -> list[Trial]:
        """Return the trials of a point, one for each seed."""
        name, _, value = point.partition("=")
        spec = with_parameter(self.cell.learner, name, value) if name else self.cell.learner
        first = next(iter(self.trials.values()))[0]
        return first.with_learner(spec).over_seeds(range(seeds))

    def is_done(self, results: Mapping[Trial, Result]) -> bool:
        """Return whether all trials have a result."""
        return all(trial in results for group in self.trials.values() for trial in group)

    def results(self, found: Mapping[Trial, Result]) -> dict[str, list[Result]]:
        """Return the results of all points."""
        return {point: [found[trial] for trial in group] for point, group in self.trials.items()}

    def summarise(self, found: Mapping[Trial, Result]) -> GridSummary:
        """Return the number of the cell, as a paper with so many runs has it."""
        grid = self.results(found)
        own = {point: grid[point] for point in self.judged}
        return summarise_grid(self.cell.quantity, own, PUBLISHED_RUNS)


class PlannedCheck(NamedTuple):
    """A bound check and its trials, one for each seed."""

    check: BoundCheck
    trials: list[Trial]


class PlannedClaim(NamedTuple):
    """A claim and the planned cells of its cases; no cells where data is missing."""

    claim: Claim
    cases: list[list[PlannedCell]]


class Plan(NamedTuple):
    """An experiment with its trials.

    `missing` is why its cells cannot run, "" if they can; if not, `cells` are its stand-ins.
    """

    paper: Paper
    experiment: Experiment
    cells: list[PlannedCell]
    checks: list[PlannedCheck]
    claims: list[PlannedClaim]
    missing: str

    @property
    def seeds(self) -> int:
        """The runs of a cell at first."""
        return self.experiment.stand_in_seeds if self.missing else self.experiment.seeds

    @property
    def trials(self) -> list[Trial]:
        """Every trial to run, once."""
        every = self.cells + [c for claim in self.claims for case in claim.cases for c in case]
        groups = [group for planned in every for group in planned.trials.values()]
        groups += [planned.trials for planned in self.checks]
        return list(dict.fromkeys(trial for group in groups for trial in group))

    @property
    def fitted_trials(self) -> list[Trial]:
        """A trial for each stream that needs a fitted comparator."""
        trials = [
            trial
            for check, trials in self.checks
            if needs_fit(Spec.parse(check.bound))
            for trial in trials
        ]
        trials += [
            next(iter(trials.values()))[0]
            for cell, trials in self.cells
            if cell.bound and needs_fit(Spec.parse(cell.bound))
        ]
        return list({trial.stream_key: trial for trial in trials}.values())


def plan(paper: Paper, experiment: Experiment) -> Plan:
    """Return an experiment with its trials."""
    cells = [PlannedCell(cell, _cell_trials(experiment, cell)) for cell in experiment.cells]
    missing = experiment.not_played or _missing_data(cells)
    if missing:
        fewer = experiment._replace(seeds=experiment.stand_in_seeds)
        cells = [PlannedCell(cell, _cell_trials(fewer, cell)) for cell in experiment.stand_ins]
    checks = [PlannedCheck(check, check_trials(check)) for check in experiment.bound_checks]
    claims = [PlannedClaim(c, _cases(experiment, c)) for c in experiment.claims]
    return Plan(paper, experiment, cells, checks, claims, missing)


def _cases(experiment: Experiment, claim: Claim) -> list[list[PlannedCell]]:
    """Return the planned cells of each case of a claim."""
    cases = [[PlannedCell(c, _cell_trials(experiment, c)) for c in case.cells]
             for case in claim.cases]  # fmt: skip
    return [[] if _missing_data(cells) else cells for cells in cases]


def check_trials(check: BoundCheck) -> list[Trial]:
    """Return the trials of a bound check."""
    first = Trial.parse(check.stream, check.learner, 0, check.rounds, check.transforms)
    return first.over_seeds(range(check.seeds))


def _cell_trials(experiment: Experiment, cell: Cell) -> dict[str, list[Trial]]:
    """Return the trials of a cell for each point of its grid."""
    points = _points(cell)
    rounds = cell.rounds or experiment.rounds
    first = Trial.parse(cell.stream, next(iter(points.values())), 0, rounds, cell.transforms)
    seeds = range(cell.seeds or experiment.seeds)
    return {p: first.with_learner(spec).over_seeds(seeds) for p, spec in points.items()}


def _points(cell: Cell) -> dict[str, str]:
    """Return the learner's spec at each point of a cell's grid; "" is the point of no grid."""
    if not cell.over:
        return {"": cell.learner}
    name, values = parse_grid(cell.over)
    return {f"{name}={v}": with_parameter(cell.learner, name, v) for v in values}


def _missing_data(cells: list[PlannedCell]) -> str:
    """Return why cells cannot run: a stream's data is not there; "" if all is."""
    for planned in cells:
        _, source = next(iter(planned.trials.values()))[0].stream
        absent = getattr(source, "absent", None)
        if absent is not None and (why := absent()):
            return str(why)
    return ""
