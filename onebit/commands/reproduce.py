"""`onebit reproduce`: the papers' experiments, run afresh."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from onebit.commands.options import (
    WORKERS,
    number,
)
from onebit.commands.running import attempt, tell


@click.command("reproduce")
@click.argument("names", nargs=-1, metavar="[EXPERIMENT]...")
@click.option("--list", "only_list", is_flag=True, help="List the experiments and stop.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True,
              metavar="DIR", help="Where results, figures and the report go.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a number.")
@click.option("--workers", metavar="W", callback=number(WORKERS),
              help="How many trials run at once.  [default: one a core]")  # fmt: skip
@click.option("--processes", is_flag=True, help="Run the trials in processes, not threads.")
@click.option("--dask", metavar="ADDRESS", help="Run the trials on a Dask cluster.")
def reproduce_command(
    names: tuple[str, ...], only_list: bool, out: Path, as_json: bool, workers: int | None,
    processes: bool, dask: str | None,
) -> None:  # fmt: skip
    """Run the papers' experiments afresh and set our numbers beside theirs."""
    from onebit.experiment import page, reproduce
    from onebit.experiment.store import Store

    chosen = reproduce.select(names)
    if only_list:
        for _, experiment in chosen:
            click.echo(f"{experiment.name:<20} {experiment.title}")
        return
    missing = {e.name: reproduce.missing_data(e) for _, e in chosen}
    trials = list(
        dict.fromkeys(t for _, e in chosen if not missing[e.name] for t in reproduce.all_trials(e))
    )
    results, failures = attempt(trials, workers, processes, dask, Store(out))
    failed = {trial for trial, _ in failures}
    done = [trial for trial in trials if trial not in failed]
    if len(results) < len(done) or any(result.interrupted for result in results):
        raise KeyboardInterrupt
    found = dict(zip(done, results, strict=True))
    reports = [reproduce.judge(p, e, found, out, missing[e.name]) for p, e in chosen]
    reproduce.write_csv(reports, out / "results.csv")
    for report in reports:
        for cell in report.cells:
            click.echo(reproduce.as_json(report, cell) if as_json else page.line(report, cell))
        if report.missing and not as_json:
            click.echo(f"{report.experiment.name}: not run: {report.missing}")
        for table in report.tables if not as_json else ():
            click.echo("\n".join(page.lines(report, table)))
    tables = reproduce.write_tables(reports, out)
    for file in [*page.write_page(reports, out), out / "results.csv", *tables]:
        click.echo(f"wrote {file}", err=True)
    if failures:
        tell(failures)
        click.echo(f"onebit: {len(failures)} of {len(trials)} trials failed.", err=True)
        sys.exit(1)
