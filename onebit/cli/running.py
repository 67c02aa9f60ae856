"""Running trials for a command: progress on stderr, results on stdout, files on disk."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from onebit.cli import interrupts
from onebit.cli.options import WORKERS
from onebit.cli.output import echo
from onebit.errors import BadInput, printable

if TYPE_CHECKING:
    from onebit.experiment.run.playing import Keep
    from onebit.experiment.run.runner import More, Outcome
    from onebit.experiment.run.store import Store
    from onebit.experiment.run.trial import Result, Trial


#: Trials that a command may run.
MOST_TRIALS = 100_000


def check_trial_count(count: int) -> None:
    """Raise BadInput if there are too many trials, before any of them is made."""
    if count > MOST_TRIALS:
        raise BadInput(f"onebit: a command runs at most {MOST_TRIALS:,} trials, got {count:,}.")


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
            echo(json.dumps(result._asdict()))
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
    more: More | None = None,
) -> Outcome:
    """Run trials with progress on the terminal; a failing trial does not stop the others.

    `more` is asked for further trials, as `run_all` has it.
    """
    from onebit.cli.progress import ProgressBar
    from onebit.experiment.run.pools import open_pool
    from onebit.experiment.run.runner import Progress, run_all
    from onebit.experiment.run.slowness import SlowTrials
    from onebit.kernel import machine_code
    from onebit.streams.reading.stdin import interrupted

    slow = SlowTrials()

    def show(progress: Progress) -> None:
        bar.show(progress)
        for sentence in slow.sentences(progress):
            bar.print(sentence)

    workers = workers or WORKERS.default
    workers = workers if more else min(workers, max(len(trials), 1))
    with (
        machine_code.preferred(),
        interrupts.asking(interrupted.set),
        ProgressBar() as bar,
        open_pool(workers, processes, dask) as pool,
    ):
        return run_all(trials, pool, show, store, keep, more)


def print_failures(failures: Sequence[tuple[Trial, BaseException]]) -> None:
    """Print each trial that failed, with the error, on stderr."""
    for trial, error in failures:
        why = str(error) if isinstance(error, BadInput) else repr(error)
        echo(
            f"onebit: {trial.learner_spec} on {trial.stream_spec}, seed {trial.seed}: {why}",
            err=True,
        )


def write_out(results: list[Result], out: Path | None, bounds: tuple[str, ...] = ()) -> None:
    """Write the files of --out; exit with code 130 if Ctrl-C interrupted the trials."""
    if out is not None and results and any(result.interrupted for result in results):
        echo(f"onebit: interrupted; what was done so far is written to {out}.", err=True)
    if out is not None and results:
        from onebit.experiment.report.run_report import write_comparison

        print_written(write_comparison(results, out, bounds, command_line()))
    exit_if_interrupted(results)


def command_line() -> str:
    """Return the command line as it was typed."""
    return printable(shlex.join(["onebit", *sys.argv[1:]]))


def print_written(files: Sequence[Path]) -> None:
    """Print the paths of files that were written on stderr."""
    for file in files:
        echo(f"wrote {file}", err=True)


def exit_if_interrupted(results: Sequence[Result]) -> None:
    """Exit with code 130 if Ctrl-C interrupted the trials."""
    if not results or any(result.interrupted for result in results):
        done = "the results are what was done so far" if results else "no round was played"
        echo(f"onebit: interrupted; {done}.", err=True)
        sys.exit(interrupts.EXIT_CODE)


def print_curve(result: Result) -> None:
    """Print the error rate at each power of ten."""
    points = [(n, m) for n, m in result.curve if str(n).strip("0") == "1"]
    echo("error after round " + "   ".join(f"{n:,}: {m / n:.4g}" for n, m in points))
