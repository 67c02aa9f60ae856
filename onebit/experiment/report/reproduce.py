"""Reproducing papers: run their experiments, set our numbers beside theirs, write a report."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from onebit.errors import BadInput
from onebit.experiment.papers import Cell, Experiment, Paper, Promise, papers
from onebit.experiment.report import figure
from onebit.experiment.report.bound_checks import (
    needs_fit,
    promise_table,
    trials_of_promise,
    value,
)
from onebit.experiment.report.dataset_sizes import size_table
from onebit.experiment.report.perceptron_figure import PICTURES
from onebit.experiment.report.table import Facts
from onebit.experiment.report.verdict import Ours, ours, verdict
from onebit.experiment.run.store import Store
from onebit.experiment.run.sweep import parse_grid, with_parameter
from onebit.experiment.run.trial import Result, Trial
from onebit.naming.params import did_you_mean, short_repr
from onebit.naming.spec import Spec
from onebit.streams.opening import resolve

#: What grids other than those of exploration rates go along.
ALONG = {"n": "weak learners for each label, n"}


class CellReport(NamedTuple):
    """A cell, our number for it, and the verdict ("" where nothing was published)."""

    cell: Cell
    ours: Ours
    verdict: str
    grid: dict[str, list[Result]]


class Report(NamedTuple):
    """An experiment with its cells, its figures, and why it was not run, if so."""

    paper: Paper
    experiment: Experiment
    cells: list[CellReport]
    figures: list[Path]
    seconds: float
    missing: str
    tables: list[Facts]
    promised: Mapping[str, list[Result]] = {}
    #: What to type to get just this one.
    command: str = ""

    @property
    def unfinished(self) -> list[str]:
        """The names of the cells of which a run failed."""
        told = {cell.cell for cell in self.cells}
        return [c.name for c in self.experiment.cells if not (self.missing or c in told)]


def select(names: Sequence[str]) -> list[tuple[Paper, Experiment]]:
    """Return the experiments of these names, or of papers of these names; all if none."""
    found = papers()
    every = {e.name: (paper, e) for paper in found.values() for e in paper.experiments}
    by_paper = {n: [(paper, e) for e in paper.experiments] for n, paper in found.items()}
    chosen: dict[str, tuple[Paper, Experiment]] = {} if names else dict(every)
    for name in names:
        if name not in every and name not in by_paper:
            near = did_you_mean(name, [*every, *by_paper])
            raise BadInput(
                f"onebit: no experiment is called {short_repr(name)!r}{near};"
                " see `onebit reproduce --list`."
            )
        for pair in by_paper.get(name, []) if name in by_paper else [every[name]]:
            chosen[pair[1].name] = pair
    return list(chosen.values())


def with_file(
    chosen: Sequence[tuple[Paper, Experiment]], stream: str, file: str
) -> list[tuple[Paper, Experiment]]:
    """Return the experiments with a user's file in place of a stream, shuffled, not judged."""
    return [
        (paper, _on_file(e, file) if any(c.stream == stream for c in e.cells) else e)
        for paper, e in chosen
    ]


def _on_file(experiment: Experiment, file: str) -> Experiment:
    cells = (
        cell._replace(
            stream=file,
            transforms=("shuffle",),
            published=None,
            note=f"the paper, on all its data: {100 * cell.published.value:.1f}"
            if cell.published
            else cell.note,
        )
        for cell in experiment.cells
    )
    return experiment._replace(
        title=f"{experiment.title}, on {Path(file).name}",
        text=f"{experiment.text}\n\nPlayed on `{Path(file).name}`, in shuffled orders. These are"
        " not the paper's data, so nothing is judged.",
        cells=tuple(cells),
    )


def trials_of(experiment: Experiment, cell: Cell) -> dict[str, list[Trial]]:
    """Return the trials of a cell for each point of its grid."""
    points: dict[str, str] = {"": cell.learner}
    if cell.over:
        name, values = parse_grid(cell.over)
        points = {f"{name}={v}": with_parameter(cell.learner, name, v) for v in values}
    return {
        point: Trial.parse(cell.stream, learner, 0, experiment.rounds, cell.transforms).over_seeds(
            range(experiment.seeds)
        )
        for point, learner in points.items()
    }


def all_trials(experiment: Experiment) -> list[Trial]:
    """Return every trial of an experiment, once."""
    groups = [g for cell in experiment.cells for g in trials_of(experiment, cell).values()]
    groups += [trials_of_promise(promise) for promise in experiment.promises]
    return list(dict.fromkeys(trial for group in groups for trial in group))


def fitted_trials(experiment: Experiment) -> list[Trial]:
    """Return a trial for each stream that weights are to be fitted to, for the bounds."""
    trials = [
        trial
        for promise in experiment.promises
        if needs_fit(Spec.parse(promise.bound))
        for trial in trials_of_promise(promise)
    ]
    trials += [
        next(iter(trials_of(experiment, cell).values()))[0]
        for cell in experiment.cells
        if cell.bound and needs_fit(Spec.parse(cell.bound))
    ]
    return list({trial.stream_key: trial for trial in trials}.values())


def missing_data(experiment: Experiment) -> str:
    """Return why an experiment cannot run here, or "": its stream needs data that is not there."""
    for cell in experiment.cells:
        absent = getattr(resolve(cell.stream)[1], "absent", None)
        if absent is not None and (why := absent()):
            return str(why)
    return ""


def judge(
    paper: Paper, experiment: Experiment, results: dict[Trial, Result], out: Path, missing: str = ""
) -> Report:
    """Turn the results of an experiment into a report with its figures."""
    cells = []
    for cell in experiment.cells if not missing else ():
        grid = {
            point: [results[trial] for trial in trials if trial in results]
            for point, trials in trials_of(experiment, cell).items()
        }
        if all(len(group) == experiment.seeds for group in grid.values()):
            found = ours(cell.quantity, grid)
            word = ""
            if cell.published is not None:
                word = verdict(found.value, found.sd, cell.published.value, cell.published.sd)
            cells.append(CellReport(cell, found, word, grid))
    ran = [] if missing else all_trials(experiment)
    seconds = seconds_of(results[trial] for trial in ran if trial in results)
    store = Store(out)
    tables = _tables(experiment, results, store)
    figures = _figures(experiment, cells, out, store)
    promised = {f"{p.bound} on {p.stream}": _runs(p, results) for p in experiment.promises}
    command = f"onebit reproduce {experiment.name}"
    return Report(paper, experiment, cells, figures, seconds, missing, tables, promised, command)


def _runs(promise: Promise, results: Mapping[Trial, Result]) -> list[Result]:
    return [results[trial] for trial in trials_of_promise(promise) if trial in results]


def seconds_of(results: Iterable[Result]) -> float:
    """Return the time that trials took; those of one stream and seed share its rows."""
    making: dict[tuple[object, ...], float] = {}
    kernels = 0.0
    for result in results:
        kernel = result.us_per_round * result.rounds / 1e6
        kernels += kernel
        scene = (result.stream, result.seed, result.rounds, *result.transforms)
        making[scene] = max(making.get(scene, 0.0), result.seconds - kernel)
    return kernels + sum(making.values())


def _tables(experiment: Experiment, results: dict[Trial, Result], store: Store) -> list[Facts]:
    """Return the tables of an experiment that are not of cells."""
    tables = [size_table(experiment.sizes)] if experiment.sizes else []
    if experiment.promises:
        tables.append(promise_table(experiment.promises, results, store))
    return tables


def _figures(
    experiment: Experiment, cells: list[CellReport], out: Path, store: Store
) -> list[Path]:
    """Draw the curves of every cell's best point, and the error over its grid, by panels."""
    made: list[Path] = []
    if experiment.picture:
        made += PICTURES[experiment.picture](out / "figures" / experiment.name)
    for panel in dict.fromkeys(c.cell.panel for c in cells):
        ending = f"-{panel.replace(' ', '-')}" if panel else ""
        title = f"{experiment.title}, {panel}" if panel else experiment.title
        group = [c for c in cells if c.cell.panel == panel]
        if experiment.curves:
            path = out / "figures" / f"{experiment.name}-curves{ending}"
            made += _draw_curves(experiment, group, path, title, store)
        made += _draw_grids(group, out / "figures" / f"{experiment.name}-grid{ending}", title)
    return made


def _draw_curves(
    experiment: Experiment, cells: list[CellReport], path: Path, title: str, store: Store
) -> list[Path]:
    shown = [c for c in cells if not c.cell.hidden]
    return figure.draw_curves(
        {_label(c): c.grid[c.ours.point] for c in shown},
        path,
        title,
        {_label(c): _bound(experiment, c, store) for c in shown if c.cell.bound},
        _published(shown, _label),
    )


def _draw_grids(cells: list[CellReport], path: Path, title: str) -> list[Path]:
    errors = {c.cell.name: c for c in cells if c.cell.quantity == "error"}
    grids = [c for c in errors.values() if len(c.grid) > 1]
    if not grids:
        return []
    over = dict.fromkeys(c.cell.over.partition("=")[0] for c in grids)
    along = ALONG.get(next(iter(over)), "exploration rate, " + " or ".join(over))
    return figure.draw_grids(
        {name: _points(c) if len(c.grid) > 1 else c.ours.value for name, c in errors.items()},
        path,
        title,
        along,
        _published(grids, lambda c: c.cell.name),
    )


def _label(cell: CellReport) -> str:
    """Return the name of a cell's curve: without the quantity, with its point of the grid."""
    name = cell.cell.name.removesuffix(", slope")
    return f"{name}, {cell.ours.point}" if cell.ours.point else name


def _published(cells: Sequence[CellReport], name: Callable[[CellReport], str]) -> dict[str, float]:
    """Return the errors that were published, by the names of their curves."""
    return {
        name(c): c.cell.published.value
        for c in cells
        if c.cell.published is not None and c.cell.quantity == "error"
    }


def _bound(experiment: Experiment, cell: CellReport, store: Store) -> figure.Curve:
    """Return a theorem's bound on the error, along the curve of the first seed of a cell."""
    trial = trials_of(experiment, cell.cell)[cell.ours.point][0]
    result = cell.grid[cell.ours.point][0]
    rounds = [n for n, _ in result.curve]
    spec = Spec.parse(cell.cell.bound)
    values = [value(spec, trial, result._replace(rounds=n), store) / n for n in rounds]
    return figure.Curve(rounds, values)


def _points(cell: CellReport) -> dict[str, list[float]]:
    return {p.partition("=")[2]: [r.error for r in group] for p, group in cell.grid.items()}


def write_csv(reports: Sequence[Report], path: Path) -> Path:
    """Write every single result as a row."""
    fields = ["experiment", "cell", "point", "stream", "learner", "seed", "rounds", "mistakes",
              "error", "seconds"]  # fmt: skip
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(fields)
        for report in reports:
            groups = [
                (cell.cell.name, point, group)
                for cell in report.cells
                for point, group in cell.grid.items()
            ]
            groups += [(name, "", group) for name, group in report.promised.items()]
            for name, point, group in groups:
                rows.writerows(
                    [report.experiment.name, name, point, " ".join([r.stream, *r.transforms]),
                     r.learner, r.seed, r.rounds, r.mistakes, r.error, r.seconds]
                    for r in group
                )  # fmt: skip
    return path


def write_tables(reports: Sequence[Report], out: Path) -> list[Path]:
    """Write the tables that are not of cells as CSV, each named for its experiment."""
    return [
        table.write(out / "tables" / f"{report.experiment.name}.csv")
        for report in reports
        for table in report.tables
    ]


def as_json(report: Report, cell: CellReport) -> str:
    """Return a cell as a line of JSON."""
    facts = {
        "experiment": report.experiment.name,
        "cell": cell.cell.name,
        "quantity": cell.cell.quantity,
        "published": None if cell.cell.published is None else cell.cell.published.value,
        "published_sd": None if cell.cell.published is None else cell.cell.published.sd,
        **{
            k: None if isinstance(v, float) and math.isnan(v) else v
            for k, v in cell.ours._asdict().items()
        },
        "verdict": cell.verdict,
    }
    return json.dumps(facts)
