"""What `--out DIR` writes: the results, the table, the figures, and a page with all of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from onebit.errors import BadInput
from onebit.experiment.papers import Cell, Experiment, Paper
from onebit.experiment.report import boosting_figure as voters
from onebit.experiment.report import figure, page
from onebit.experiment.report.comparison import comparison, sweep_table
from onebit.experiment.report.reproduce import CellReport, Report, seconds_of, write_csv
from onebit.experiment.report.summary import by_learner, recipe_of
from onebit.experiment.report.verdict import ours
from onebit.experiment.run.trial import Result

_INTRO = "Errors are of played labels, in percent, with the standard deviation over single runs."
_GRID = (
    " 'error' is that of the best point of the grid on the same runs, which is biased low;"
    " 'chosen on other orders' takes the best point of the other half of the runs, which is not."
)


def write(
    results: Sequence[Result], directory: Path, bounds: Sequence[str] = (), command: str = ""
) -> list[Path]:
    """Write what came of learners side by side into a directory and return the files."""
    cells = [
        _cell(recipe_of(learner).brief, "", {"": group})
        for learner, group in by_learner(results).items()
    ]
    return _write(results, cells, directory, comparison(results), bounds, command)


def write_sweep(
    name: str, grid: Mapping[str, Sequence[Result]], directory: Path, command: str = ""
) -> list[Path]:
    """Write what came of a learner over a grid of one parameter, and return the files."""
    results = [result for group in grid.values() for result in group]
    over = {f"{name}={point}": list(group) for point, group in grid.items()}
    cell = _cell(results[0].learner.partition(":")[0], f"{name}={','.join(grid)}", over)
    files = figure.draw_sweep(name, list(grid), list(grid.values()), directory)
    return _write(results, [cell], directory, sweep_table(name, grid), (), command, files)


def _cell(name: str, over: str, grid: dict[str, list[Result]]) -> CellReport:
    first = next(iter(grid.values()))[0]
    cell = Cell(name, first.stream, first.learner, over)
    return CellReport(cell, ours("error", grid), "", grid)


def _write(
    results: Sequence[Result],
    cells: list[CellReport],
    directory: Path,
    table: str,
    bounds: Sequence[str],
    command: str,
    figures: Sequence[Path] = (),
) -> list[Path]:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        lines, text = directory / "results.jsonl", directory / "table.txt"
        lines.write_text("".join(json.dumps(result._asdict()) + "\n" for result in results))
        text.write_text(table + "\n")
        drawn = [
            *figures,
            *figure.draw(results, directory, bounds),
            *voters.draw(results, directory),
        ]
        stream, rounds = results[0].stream, results[0].rounds
        seeds = len(next(iter(cells[0].grid.values())))
        title = f"{figure.short(stream)}, {rounds:,} rounds"
        intro = _INTRO + (_GRID if cells[0].cell.over else "")
        report = Report(
            Paper("", "", ()), Experiment("results", title, "", seeds=seeds), cells, drawn,
            seconds_of(results), "", [], command=command,
        )  # fmt: skip
        pages = page.write_page([report], directory, page.Front("Results", intro))
        return [lines, text, *drawn, *pages, write_csv([report], directory / "results.csv")]
    except OSError as error:
        raise BadInput(f"onebit: {directory} cannot be written: {error.strerror}.") from None
