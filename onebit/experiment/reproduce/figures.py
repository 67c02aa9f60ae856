"""The figures of an experiment: learning curves, and errors over grids, one each a panel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from onebit.experiment.papers import Cell, Experiment
from onebit.experiment.report import curves_figure
from onebit.experiment.report.drawn_once import draw_once
from onebit.experiment.report.section import Row
from onebit.experiment.reproduce.bound_checks import bound_value
from onebit.experiment.reproduce.perceptron_figure import PICTURES
from onebit.experiment.run.store import Store
from onebit.experiment.run.trial import Trial
from onebit.naming.spec import Spec

#: The x axis of grids of parameters that are not exploration rates.
AXIS_LABELS = {"n": "weak learners for each label, n"}


class FinishedCell(NamedTuple):
    """A cell, its trials by grid point, its best point, and its row of the report."""

    cell: Cell
    trials: Mapping[str, Sequence[Trial]]
    point: str
    row: Row

    @property
    def curve_name(self) -> str:
        """The name of the curve: without the quantity, with its point of the grid."""
        name = self.cell.name.removesuffix(", slope")
        return f"{name}, {self.point}" if self.point else name


def draw_figures(
    experiment: Experiment, cells: Sequence[FinishedCell], directory: Path, store: Store
) -> list[Path]:
    """Draw the curves of every cell's best point, and the errors over its grid, by panels."""
    files: list[Path] = []
    if experiment.picture:
        path = directory / experiment.name
        files += draw_once(path, (), partial(PICTURES[experiment.picture], path), store.directory)
    for panel in dict.fromkeys(each.cell.panel for each in cells):
        ending = f"-{panel.replace(' ', '-')}" if panel else ""
        title = f"{experiment.title}, {panel}" if panel else experiment.title
        group = [each for each in cells if each.cell.panel == panel]
        if experiment.curves:
            path = directory / f"{experiment.name}-curves{ending}"
            files += _draw_curves(group, path, title, store)
        files += _draw_grids(group, directory / f"{experiment.name}-grid{ending}", title, store)
    return files


def _draw_curves(cells: Sequence[FinishedCell], path: Path, title: str, store: Store) -> list[Path]:
    shown = [each for each in cells if not each.cell.hidden]
    data = (
        {each.curve_name: each.row.results[each.point] for each in shown},
        path,
        title,
        {each.curve_name: _bound_curve(each, store) for each in shown if each.cell.bound},
        _published(shown, lambda each: each.curve_name),
    )
    return draw_once(path, data, lambda: curves_figure.draw_curves(*data), store.directory)


def _draw_grids(cells: Sequence[FinishedCell], path: Path, title: str, store: Store) -> list[Path]:
    errors = {each.cell.name: each for each in cells if each.cell.quantity == "error"}
    grids = [each for each in errors.values() if len(each.row.results) > 1]
    if not grids:
        return []
    over = dict.fromkeys(each.cell.over.partition("=")[0] for each in grids)
    axis_label = AXIS_LABELS.get(next(iter(over)), "exploration rate, " + " or ".join(over))
    data = (
        {name: _errors_by_value(each.row) for name, each in errors.items()},
        path,
        title,
        axis_label,
        _published(list(errors.values()), lambda each: each.cell.name),
    )
    return draw_once(path, data, lambda: curves_figure.draw_grids(*data), store.directory)


def _published(
    cells: Sequence[FinishedCell], name: Callable[[FinishedCell], str]
) -> dict[str, float]:
    """Return the published errors, each once, by the names of the curves that are judged."""
    return {
        name(each): each.cell.published.value
        for each in cells
        if each.cell.published is not None and each.cell.judged and each.cell.quantity == "error"
    }


def _bound_curve(each: FinishedCell, store: Store) -> curves_figure.Curve:
    """Return a theorem's bound on the error, along the curve of the first seed of a cell."""
    trial, result = each.trials[each.point][0], each.row.results[each.point][0]
    rounds = [n for n, _ in result.curve]
    spec = Spec.parse(each.cell.bound)
    values = [bound_value(spec, trial, result._replace(rounds=n), store) / n for n in rounds]
    return curves_figure.Curve(rounds, values)


def _errors_by_value(row: Row) -> dict[str, list[float]]:
    """Return the errors by the value of a grid's parameter, "" where there is no grid."""
    return {p.partition("=")[2]: [r.error for r in group] for p, group in row.results.items()}
