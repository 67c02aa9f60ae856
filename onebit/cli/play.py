"""`onebit play`: one learner on one stream."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from onebit.cli.options import file_options, file_spec, play_options
from onebit.cli.output import echo
from onebit.cli.running import print_curve, run_or_raise, write_out


@click.command("play")
@click.argument("stream")
@click.argument("learner", required=False)
@play_options
@file_options
def play_command(
    stream: str, learner: str | None, transforms: tuple[str, ...], rounds: int | None, seed: int,
    as_json: bool, out: Path | None, **file: Any,
) -> None:  # fmt: skip
    """Play STREAM with LEARNER, by default auto, and count its mistakes."""
    from onebit.experiment.run.trial import Trial
    from onebit.learners import DEFAULT

    spec = file_spec(stream, **file)
    trial = Trial.parse(spec, learner or DEFAULT, seed, rounds, transforms)
    results = run_or_raise([trial], 1, as_json)
    for result in [] if as_json else results:
        stream = " with ".join([result.stream, *result.transforms])
        echo(f"{stream}  {result.learner}  seed {result.seed}")
        echo(
            f"{result.rounds:,} rounds{' (cut off by Ctrl-C)' if result.interrupted else ''},"
            f" {result.mistakes:,} mistakes, error {result.error:.6g},"
            f" {result.seconds:.2f} s, {result.us_per_round:.3f} us/round in the kernel"
        )
        print_curve(result)
    write_out(results, out)
