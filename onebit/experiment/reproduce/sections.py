"""The sections of a reproduction report: our numbers and the published ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from onebit.experiment.papers import Cell, Experiment
from onebit.experiment.report.section import Front, Row, Section
from onebit.experiment.report.summary import computing_seconds, summarise_grid
from onebit.experiment.report.table import Table
from onebit.experiment.reproduce.bound_checks import bound_check_table
from onebit.experiment.reproduce.dataset_sizes import size_table
from onebit.experiment.reproduce.figures import FinishedCell, draw_figures
from onebit.experiment.reproduce.plan import Plan
from onebit.experiment.reproduce.verdict import verdict
from onebit.experiment.run.store import Store
from onebit.experiment.run.trial import Result, Trial


def build_section(plan: Plan, results: Mapping[Trial, Result], out: Path) -> Section:
    """Return the section of an experiment, its figures drawn into a directory.

    Cells of which a run failed have no row; their names are in `failed`.
    """
    paper, experiment = plan.paper, plan.experiment
    finished = [] if plan.missing else _finished_cells(plan, results)
    done = {each.cell for each in finished}
    store = Store(out)
    return Section(
        name=experiment.name,
        title=experiment.title,
        heading=paper.title,
        reference=paper.reference,
        text=experiment.text,
        rows=[each.row for each in finished],
        tables=_tables(plan, results, store),
        figures=draw_figures(experiment, finished, out / "figures", store),
        seeds=experiment.seeds,
        seconds=computing_seconds(results[t] for t in plan.trials if t in results),
        missing=plan.missing,
        failed=[] if plan.missing else [c.name for c in experiment.cells if c not in done],
        other_runs={
            f"{check.bound} on {check.stream}": [results[t] for t in trials if t in results]
            for check, trials in plan.checks
        },
        command=f"onebit reproduce {experiment.name}",
    )


def front(sections: Sequence[Section]) -> Front:
    """Return the title and the introduction of the report, with how many numbers agree."""
    verdicts = [row.verdict for section in sections for row in section.rows if row.verdict]
    counts = ", ".join(
        f"{verdicts.count(each)} {each}" for each in ("reproduced", "better", "not reproduced")
    )
    count = f"Of {len(verdicts)} published numbers: {counts}. " if verdicts else ""
    return Front(
        "The papers, run again",
        f"{count}Errors are of played labels, in percent,"
        " with the standard deviation over single runs. A number is reproduced if it differs from"
        " the paper's by at most two standard deviations of the difference, better if it is lower"
        " than that. Where there is a grid, 'ours' is its best point on the same runs, which is"
        " biased low, and 'chosen on other orders' takes the best point of the other half of the"
        " runs, which is not.",
    )


def _finished_cells(plan: Plan, results: Mapping[Trial, Result]) -> list[FinishedCell]:
    """Return the cells of which every run was done."""
    finished = []
    for cell, trials in plan.cells:
        grid = {
            point: [results[trial] for trial in group if trial in results]
            for point, group in trials.items()
        }
        if all(len(group) == plan.experiment.seeds for group in grid.values()):
            finished.append(FinishedCell(cell, trials, _row(cell, grid)))
    return finished


def _row(cell: Cell, grid: dict[str, list[Result]]) -> Row:
    summary = summarise_grid(cell.quantity, grid)
    word = "" if cell.published is None else verdict(summary.value, summary.sd, *cell.published)
    return Row(cell.name, summary, grid, cell.quantity, cell.published, word, cell.note)


def _tables(plan: Plan, results: Mapping[Trial, Result], store: Store) -> list[Table]:
    """Return the tables of an experiment other than that of its cells."""
    experiment: Experiment = plan.experiment
    tables = [size_table(experiment.sizes)] if experiment.sizes else []
    if plan.checks:
        tables.append(bound_check_table(plan.checks, results, store))
    return tables
