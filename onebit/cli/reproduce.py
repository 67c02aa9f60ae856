"""`onebit reproduce`: the papers' experiments, run again."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from onebit.cli.interrupts import EXIT_CODE
from onebit.cli.options import WORKERS, number
from onebit.cli.output import echo
from onebit.cli.running import print_failures, print_written, run_trials

if TYPE_CHECKING:
    from onebit.experiment.run.store import Store
    from onebit.experiment.run.trial import Trial


@click.command("reproduce")
@click.argument("names", nargs=-1, metavar="[EXPERIMENT]...")
@click.option("--list", "only_list", is_flag=True, help="List the experiments and stop.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True,
              metavar="DIR", help="Where results, figures and the report go.")  # fmt: skip
@click.option(
    "--reuters4",
    metavar="FILE",
    help="Play the REUTERS4 experiments on this file, such as a part of RCV1.",
)
@click.option(
    "--download",
    is_flag=True,
    help="Fetch the data that the experiments need (REUTERS4) and is not here.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object a number, or an experiment."
)
@click.option("--workers", metavar="W", callback=number(WORKERS),
              help="How many trials run at once.  [default: one a core]")  # fmt: skip
@click.option("--processes", is_flag=True, help="Run the trials in processes, not threads.")
@click.option("--dask", metavar="ADDRESS", help="Run the trials on a Dask cluster.")
def reproduce_command(
    names: tuple[str, ...], only_list: bool, out: Path, reuters4: str | None, download: bool,
    as_json: bool,
    workers: int | None, processes: bool, dask: str | None,
) -> None:  # fmt: skip
    """Run the papers' experiments again.

    Each number is compared with the published one. EXPERIMENT may also be the name of a paper.
    Finished trials are kept in the directory of --out and are not run again.
    """
    from onebit.experiment.report.data_files import row_json, write_results_csv, write_tables
    from onebit.experiment.report.pages import write_pages
    from onebit.experiment.report.terminal import section_lines
    from onebit.experiment.reproduce.plan import plan
    from onebit.experiment.reproduce.refinement import Refinement
    from onebit.experiment.reproduce.sections import build_section, front
    from onebit.experiment.reproduce.selection import download_data, replace_stream, select
    from onebit.experiment.run.store import Store

    if only_list:
        _print_experiments(names, as_json)
        return
    selected = select(names)
    if reuters4 is not None:
        selected = replace_stream(selected, "reuters4", reuters4)
    elif download:
        download_data(selected, lambda text: echo(f"onebit: {text}.", err=True))
    plans = [plan(paper, experiment) for paper, experiment in selected]
    store = Store(out)
    work = Refinement(plans)
    results, failures = run_trials(
        work.trials, workers, processes, dask, store, more=work.further_trials
    )
    done = [trial for trial in work.trials if trial not in dict(failures)]
    if len(results) < len(done) or any(result.interrupted for result in results):
        echo(f"onebit: interrupted; what was finished is kept in {out}.", err=True)
        sys.exit(EXIT_CODE)
    found = dict(zip(done, results, strict=True))
    plans = work.plans
    _fit([trial for planned in plans for trial in planned.fitted_trials], store)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 120
    sections = []
    for planned in plans:
        section = build_section(planned, found, out)
        sections.append(section)
        if as_json:
            for row in section.rows:
                echo(row_json(section, row))
        else:
            echo("\n".join([*section_lines(section, width), ""]))
    tables = write_tables(sections, out / "tables")
    pages = write_pages(sections, out, front(sections))
    print_written([*pages, write_results_csv(sections, out / "results.csv"), *tables])
    if failures:
        print_failures(failures)
        trials_run = len(found) + len(failures)
        echo(f"onebit: {len(failures)} of {trials_run} trials failed.", err=True)
        sys.exit(1)


def _print_experiments(names: tuple[str, ...], as_json: bool) -> None:
    """Print the names of papers and of their experiments, and what they are."""
    from onebit.experiment.reproduce.selection import list_papers

    for name, (paper, experiments) in list_papers(names).items():
        if as_json:
            for each in experiments:
                echo(json.dumps({"paper": name, "experiment": each.name, "title": each.title,
                                 "only_by_name": paper.only_by_name}))  # fmt: skip
            continue
        echo(f"{name}: {paper.title}{' (runs only by name)' if paper.only_by_name else ''}")
        for experiment in experiments:
            echo(f"  {experiment.name:<27} {experiment.title}")


def _fit(trials: list[Trial], store: Store) -> None:
    """Fit comparators to the streams, in parallel, for the bounds that need them."""
    from concurrent.futures import ThreadPoolExecutor

    if sys.stderr.isatty() and any(not store.has_comparator(trial) for trial in trials):
        echo("fitting weights to the streams, for the bounds", err=True)
    with ThreadPoolExecutor(WORKERS.default) as pool:
        list(pool.map(store.comparator_measure, trials))
