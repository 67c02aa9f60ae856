"""`onebit sweep`: one learner over a grid of one parameter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from onebit.cli.options import file_options, file_spec, play_options, pool_options
from onebit.cli.output import echo
from onebit.cli.running import (
    check_trial_count,
    command_line,
    print_written,
    run_or_raise,
    write_out,
)
from onebit.errors import BadInput
from onebit.naming.params import short_repr


@click.command("sweep")
@click.argument("stream")
@click.argument("learner")
@click.option("--over", required=True, metavar="GRID",
              help="Its values: gamma=2^-14..2^-1, n=1..5 or delta=0.01,0.03.")  # fmt: skip
@play_options
@file_options
@pool_options
def sweep_command(
    stream: str, learner: str, over: str, transforms: tuple[str, ...], rounds: int | None,
    seed: int, seeds: int, workers: int | None, processes: bool, dask: str | None, as_json: bool,
    out: Path | None, **file: Any,
) -> None:  # fmt: skip
    """Play LEARNER with each of several values of a parameter.

    STREAM is a file, or one that `onebit streams` lists.
    """
    from onebit.experiment.report.text_tables import comparison_table, sweep_table
    from onebit.experiment.run.store import Store
    from onebit.experiment.run.sweep import parse_grid, with_parameter
    from onebit.experiment.run.trial import Trial

    spec = file_spec(stream, **file)
    name, points = parse_grid(over)
    specs = [with_parameter(learner, name, point) for point in points]
    first = Trial.parse(spec, specs[0], seed, rounds, transforms)
    check_trial_count(len(specs) * seeds)
    points_played = [first.with_learner(each) for each in specs]
    if len({*points_played}) < len(specs):
        raise BadInput(f"onebit: --over must have each value once, got {short_repr(over)}.")
    trials = [
        trial for each in points_played for trial in each.over_seeds(range(seed, seed + seeds))
    ]
    store = None if out is None else Store(out)
    results = run_or_raise(trials, workers, as_json, processes, dask, store)
    if len(results) == len(trials) and not any(result.interrupted for result in results):
        table = {point: results[n * seeds : (n + 1) * seeds] for n, point in enumerate(points)}
        if not as_json:
            echo(sweep_table(name, table))
        if out is not None:
            from onebit.experiment.report.run_report import write_sweep

            print_written(write_sweep(name, table, out, command_line()))
    else:
        if not as_json:
            echo(comparison_table(results))
        write_out(results, out)
