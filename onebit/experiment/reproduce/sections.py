"""The sections of a reproduction report: our numbers and the published ones."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

from onebit.experiment.papers import Cell, Experiment
from onebit.experiment.report.section import Front, Row, Section
from onebit.experiment.report.summary import GridSummary, computing_seconds
from onebit.experiment.report.table import Table, Value
from onebit.experiment.reproduce.bound_checks import bound_check_table
from onebit.experiment.reproduce.claims import claim_table
from onebit.experiment.reproduce.dataset_sizes import size_table
from onebit.experiment.reproduce.figures import FinishedCell, draw_figures
from onebit.experiment.reproduce.plan import Plan, PlannedCell
from onebit.experiment.reproduce.verdict import (
    NOT_RUN,
    WORDS,
    chance_of_miss,
    verdict,
    window,
)
from onebit.experiment.run.store import Store
from onebit.experiment.run.trial import Result, Trial

_INTRO = """\
Errors are of played labels, in percent, with the standard deviation over single runs, as the papers
print it. Two means are compared by the standard error of their difference: a number is reproduced
if it is within two such errors, and half a unit of the last printed digit, of the paper's; else it
is lower or higher. The paper's standard error is its deviation divided by the root of its ten runs;
where none is printed, ours stands alone, which makes a miss likelier than is counted. Ours runs as
many orders as it takes to be as exact as the paper, up to a hundred on small data and fewer on
large; where it stays less exact, a number within the window is undecided. What is not judged may
have fewer runs than ten.

Where there is a grid, 'ours' is the lowest mean of ten runs, as the paper takes it (with more runs,
the average over groups of ten), which is biased low, and 'chosen on other orders' takes the best
point of the other half of the runs, which is not. The standard errors of such minima, and of
slopes, are by bootstrap over runs. Where the text of a paper has several readings, the one that its
words say is judged; the others stand beside it."""


def build_section(plan: Plan, results: Mapping[Trial, Result], out: Path) -> Section:
    """Return the section of an experiment, its figures drawn into a directory.

    A cell of which a run failed has no row unless its number was published; its name is in
    `failed`.
    """
    paper, experiment = plan.paper, plan.experiment
    finished = _finished_cells(plan, results)
    rows = {each.cell: each.row for each in finished}
    published = [c for c in experiment.cells if c.published is not None and c.judged]
    not_run = [_row_not_run(cell) for cell in published if cell not in rows]
    store = Store(out)
    stand_in = plan.missing and not experiment.not_played
    drawn = (
        experiment._replace(title=f"{experiment.title}: generated rows") if stand_in else experiment
    )
    return Section(
        name=experiment.name,
        title=experiment.title,
        heading=paper.title,
        reference=paper.reference,
        text=experiment.text,
        rows=[*not_run, *rows.values()],
        tables=_tables(plan, results, store),
        figures=draw_figures(drawn, finished, out / "figures", store),
        seconds=computing_seconds(results[t] for t in plan.trials if t in results),
        missing=plan.missing,
        failed=[planned.cell.name for planned in plan.cells if planned.cell not in rows],
        other_runs={
            f"{check.bound} on {check.stream}": [results[t] for t in trials if t in results]
            for check, trials in plan.checks
        },
        command=f"onebit reproduce {experiment.name}{experiment.options}",
    )


def front(sections: Sequence[Section]) -> Front:
    """Return the title and the introduction of the report, with how many numbers agree."""
    judged = [row for section in sections for row in section.rows if row.verdict]
    words = [row.verdict for row in judged]
    counts = ", ".join(f"{words.count(word)} {word}" for word in WORDS)
    run = len(judged) - words.count(NOT_RUN)
    chance = sum(row.chance for row in judged)
    count = (
        f"Of {len(judged)} published numbers: {counts}. If nothing but chance differed, about"
        f" {chance:.1f} of the {run} that were run would be called lower or higher.\n\n"
    )
    return Front("The papers, run again", f"{count if judged else ''}{_INTRO}")


def _finished_cells(plan: Plan, results: Mapping[Trial, Result]) -> list[FinishedCell]:
    """Return the cells of which every run was done."""
    finished = []
    for planned in plan.cells:
        if planned.is_done(results):
            summary = planned.summarise(results)
            row = _row(planned, summary, results)
            finished.append(FinishedCell(planned.cell, planned.trials, summary.point, row))
    return finished


def _row(planned: PlannedCell, summary: GridSummary, results: Mapping[Trial, Result]) -> Row:
    cell = planned.cell
    row = Row(cell.name, summary, planned.results(results), cell.quantity, note=cell.note)
    if cell.published is None:
        return row
    row = row._replace(published=cell.published[:2])
    if not cell.judged:
        return row
    return row._replace(
        window=window(summary.se, cell.published),
        verdict=verdict(summary.value, summary.se, cell.published),
        chance=chance_of_miss(summary.se, summary.runs, cell.published),
    )


def _row_not_run(cell: Cell) -> Row:
    """Return the row of a published number that was not run."""
    published = None if cell.published is None else cell.published[:2]
    return Row(cell.name, None, {}, cell.quantity, published, verdict=NOT_RUN)


def _tables(plan: Plan, results: Mapping[Trial, Result], store: Store) -> list[Table]:
    """Return the tables of an experiment other than that of its cells."""
    experiment: Experiment = plan.experiment
    tables = [size_table(experiment.sizes)] if experiment.sizes else []
    if experiment.timed:
        tables.append(_time_table(plan, results))
    if plan.checks:
        tables.append(bound_check_table(plan.checks, results, store))
    if plan.claims:
        tables.append(claim_table(plan.claims, results))
    return tables


def _time_table(plan: Plan, results: Mapping[Trial, Result]) -> Table:
    """Return the mean time of a round of each cell whose runs were done."""
    rows: list[list[Value]] = []
    for planned in plan.cells:
        if planned.is_done(results):
            runs = [run for group in planned.results(results).values() for run in group]
            rows.append([planned.cell.name, statistics.fmean(run.us_per_round for run in runs)])
    return Table(("learner", "us a round"), rows)
