"""Running trials for a command: progress on stderr, results on stdout, files on disk."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from onebit.cli.options import WORKERS
from onebit.errors import BadInput

if TYPE_CHECKING:
    from onebit.experiment.run.playing import Keep
    from onebit.experiment.run.runner import Outcome
    from onebit.experiment.run.store import Store
    from onebit.experiment.run.trial import Result, Trial


def run_or_raise(
    trials: list[Trial],
    workers: int | None = None,
    as_json: bool = False,
    processes: bool = False,
    dask: str | None = None,
    store: Store | None = None,
    keep: Keep | None = None,
) -> list[Result]:
    """Run trials with progress on the terminal and print them as JSON if asked for.

    Raises
    ------
    BadInput
        If a trial cannot run; any other error of a trial is raised as it is.

    """
    results, failures = run_trials(trials, workers, processes, dask, store, keep)
    if as_json:
        for result in results:
            click.echo(json.dumps(result._asdict()))
    for _, error in failures:
        if isinstance(error, BadInput):  # its sentence is enough
            raise error
    if failures:
        print_failures(failures)
        raise failures[0][1]
    return results


def run_trials(
    trials: list[Trial],
    workers: int | None = None,
    processes: bool = False,
    dask: str | None = None,
    store: Store | None = None,
    keep: Keep | None = None,
) -> Outcome:
    """Run trials with progress on the terminal; a failing trial does not stop the others."""
    from onebit.cli.progress import ProgressBar
    from onebit.experiment.run.pools import open_pool
    from onebit.experiment.run.runner import run_all

    with open_pool(workers or WORKERS.default, processes, dask) as pool, ProgressBar() as bar:
        return run_all(trials, pool, bar.show, store, keep)


def print_failures(failures: Sequence[tuple[Trial, BaseException]]) -> None:
    """Print each trial that failed, with the error, on stderr."""
    for trial, error in failures:
        why = str(error) if isinstance(error, BadInput) else repr(error)
        click.echo(
            f"onebit: {trial.learner_spec} on {trial.stream_spec}, seed {trial.seed}: {why}",
            err=True,
        )


def write_out(results: list[Result], out: Path | None, bounds: tuple[str, ...] = ()) -> None:
    """Write the files of --out; exit with code 130 if Ctrl-C interrupted the trials."""
    if out is not None and results:
        from onebit.experiment.report.run_report import write_comparison

        print_written(write_comparison(results, out, bounds, command_line()))
    exit_if_interrupted(results)


def command_line() -> str:
    """Return the command line as it was typed."""
    return shlex.join(["onebit", *sys.argv[1:]])


def print_written(files: Sequence[Path]) -> None:
    """Print the paths of files that were written on stderr."""
    for file in files:
        click.echo(f"wrote {file}", err=True)


def exit_if_interrupted(results: Sequence[Result]) -> None:
    """Exit with code 130 if Ctrl-C interrupted the trials."""
    if not results or any(result.interrupted for result in results):
        click.echo("onebit: interrupted; the results are what was done so far.", err=True)
        sys.exit(130)


def print_curve(result: Result) -> None:
    """Print the error rate at each power of ten."""
    points = [(n, m) for n, m in result.curve if str(n).strip("0") == "1"]
    click.echo("   ".join(f"{n:,}: {m / n:.4g}" for n, m in points))
