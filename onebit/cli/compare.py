"""`onebit compare`: several learners on one stream."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from onebit.cli.options import file_options, file_spec, play_options, pool_options
from onebit.cli.output import echo
from onebit.cli.running import check_trial_count, run_or_raise, write_out


@click.command("compare")
@click.argument("stream")
@click.argument("learners", nargs=-1, required=True, metavar="LEARNER...")
@play_options
@file_options
@pool_options
@click.option("--bound", "bound", multiple=True, metavar="BOUND",
              help="Draw NAME:key=value,... of `onebit bound` too; repeatable.")  # fmt: skip
def compare_command(
    stream: str, learners: tuple[str, ...], transforms: tuple[str, ...], rounds: int | None,
    seed: int, seeds: int, bound: tuple[str, ...], workers: int | None, processes: bool,
    dask: str | None, as_json: bool, out: Path | None, **file: Any,
) -> None:  # fmt: skip
    """Play STREAM with several learners, over seeds, and compare them."""
    from onebit.experiment.run.bound_fit import bound_curve
    from onebit.experiment.run.store import Store
    from onebit.experiment.run.trial import Trial

    for each in bound:
        bound_curve(each, [1])  # raises BadInput for a bad bound before the trials run
    first = Trial.parse(file_spec(stream, **file), learners[0], seed, rounds, transforms)
    check_trial_count(len(learners) * seeds)
    trials = dict.fromkeys(
        trial
        for learner in learners
        for trial in first.with_learner(learner).over_seeds(range(seed, seed + seeds))
    )
    store = None if out is None else Store(out)
    results = run_or_raise(list(trials), workers, as_json, processes, dask, store)
    if not as_json:
        from onebit.experiment.report.text_tables import comparison_table

        echo(comparison_table(results))
    write_out(results, out, bound)
