"""The files of `--out DIR`: results, table, figures and a page, of a comparison or a sweep."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from onebit.errors import file_error
from onebit.experiment.report import boosting_figure, curves_figure, experts_figure
from onebit.experiment.report.data_files import write_results_csv
from onebit.experiment.report.pages import write_pages
from onebit.experiment.report.section import Front, Row, Section
from onebit.experiment.report.summary import (
    by_learner,
    computing_seconds,
    cut_off_texts,
    recipe_of,
    stream_name,
    summarise,
    summarise_grid,
    whole_runs,
)
from onebit.experiment.report.table import Table
from onebit.experiment.report.text_tables import comparison_table, sweep_table
from onebit.experiment.run.trial import Result

_INTRO = "Errors are of played labels, in percent, with the standard deviation over single runs."
_GRID_INTRO = (
    " 'error' is that of the best point of the grid on the same runs, which is biased low;"
    " 'chosen on other orders' takes the best point of the other half of the runs, which is not."
)

_CUT_OFF = (
    "Some runs were cut off by Ctrl-C. They are in no mean and no figure; the last table has what"
    " they had done, and the other runs may be fewer for some learners than for others."
)


def write_comparison(
    results: Sequence[Result], directory: Path, bounds: Sequence[str] = (), command: str = ""
) -> list[Path]:
    """Write the report of learners side by side, best first, and return the files.

    Runs that Ctrl-C cut off are in no mean and no figure; they are in a table of their own.
    """
    groups = sorted(by_learner(whole_runs(results)).values(), key=lambda g: summarise(g).mean)
    whole = [result for group in groups for result in group]
    rows = [_row(recipe_of(group[0].learner).brief, {"": group}) for group in groups]

    def draw() -> list[Path]:
        return _draw_both(whole, directory, bounds) if whole else []

    table = comparison_table(results)
    return _write(results, rows, table, draw, directory, _INTRO, command)


def write_sweep(
    name: str, grid: Mapping[str, Sequence[Result]], directory: Path, command: str = ""
) -> list[Path]:
    """Write the report of a learner over a grid of one parameter and return the files."""
    results = [result for group in grid.values() for result in group]
    points = {f"{name}={point}": group for point, group in grid.items()}
    row = _row(results[0].learner.partition(":")[0], points)

    def draw() -> list[Path]:
        sweep = curves_figure.draw_sweep(name, list(grid), list(grid.values()), directory)
        return [*sweep, *_draw_both(results, directory)]

    table = sweep_table(name, grid)
    return _write(results, [row], table, draw, directory, _INTRO + _GRID_INTRO, command)


def _row(name: str, grid: Mapping[str, Sequence[Result]]) -> Row:
    return Row(name, summarise_grid("error", grid), grid)


def _draw_both(
    results: Sequence[Result], directory: Path, bounds: Sequence[str] = ()
) -> list[Path]:
    """Draw the learning curves, and what boosters and combinations of experts report."""
    return [
        *curves_figure.draw_comparison(results, directory, bounds),
        *boosting_figure.draw(results, directory),
        *experts_figure.draw(results, directory),
    ]


def _write(
    results: Sequence[Result],
    rows: Sequence[Row],
    table: str,
    draw: Callable[[], list[Path]],
    directory: Path,
    intro: str,
    command: str,
) -> list[Path]:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        lines, text = directory / "results.jsonl", directory / "table.txt"
        lines.write_text("".join(json.dumps(result._asdict()) + "\n" for result in results))
        text.write_text(table + "\n", "utf-8")
        whole, cut_off = whole_runs(results), cut_off_texts(results)
        rounds = f", {whole[0].rounds:,} rounds" if whole else ""
        section = Section(
            name="results",
            title=f"{stream_name(results[0].stream)}{rounds}",
            text=_CUT_OFF if cut_off else "",
            rows=rows,
            tables=[Table(("learner", "seed", "rounds", "error"), cut_off)] if cut_off else [],
            figures=draw(),
            seconds=computing_seconds(results),
            command=command,
        )
        pages = write_pages([section], directory, Front("Results", intro))
        csv = write_results_csv([section], directory / "results.csv")
        return [lines, text, *section.figures, *pages, csv]
    except OSError as error:
        raise file_error(f"onebit: {directory} cannot be written", error) from None
