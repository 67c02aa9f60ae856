"""`onebit play`: one learner on one stream, the default one if none is named."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from onebit.cli.options import file_options, file_spec, new_file, play_options, typed_options
from onebit.cli.output import counted, echo
from onebit.cli.running import print_curve, run_or_raise, run_trials, write_out
from onebit.errors import BadInput

if TYPE_CHECKING:
    from onebit.agent.agent import Agent
    from onebit.experiment.run.trial import Result, Trial


@click.command("play")
@click.argument("stream")
@click.argument("learner", required=False)
@play_options
@file_options
@click.option("--save", type=click.Path(path_type=Path), metavar="AGENT.npz", callback=new_file,
              help="Write the agent that played, for Agent.load.")  # fmt: skip
@click.option("--no-replay", is_flag=True,
              help="Leave the rounds that `auto` replays out of --save.")  # fmt: skip
def play_command(
    stream: str, learner: str | None, transforms: tuple[str, ...], rounds: int | None, seed: int,
    as_json: bool, out: Path | None, save: Path | None, no_replay: bool, **file: Any,
) -> None:  # fmt: skip
    """Play STREAM with LEARNER and count its mistakes.

    STREAM is a file, or one that `onebit streams` lists. Without LEARNER the
    default one plays, and a few others for comparison.
    """
    from onebit.experiment.run.candidates import OTHERS
    from onebit.experiment.run.compile_ahead import compile_ahead
    from onebit.experiment.run.trial import Trial
    from onebit.learners import DEFAULT
    from onebit.streams.file import File

    if no_replay and save is None:
        raise BadInput("onebit: --no-replay leaves rounds out of --save AGENT.npz, got no --save.")
    spec = file_spec(stream, **file)
    trial = Trial.parse(spec, DEFAULT if learner is None else learner, seed, rounds, transforms)
    path, given = shlex.quote(stream), typed_options(file)
    compare = f"onebit compare {path} all{typed_options(file, transforms, rounds)}"
    source = trial.stream.source
    read_once = isinstance(source, File) and not source.source.repeatable  # a pipe: no second play
    alone = learner is not None or as_json or read_once
    others = [] if alone else [trial.with_learner(name) for name in OTHERS]
    agents: dict[Trial, Agent] = {}
    all_played = True
    with compile_ahead([each.learner for each in (trial, *reversed(others))]):
        results = run_or_raise([trial], 1, as_json, keep=agents.__setitem__ if save else None)
        if not as_json and results:
            _print_result(results[0])
            if others and not results[0].interrupted:
                all_played = _print_others(others, results[0], compare)
    if not as_json and results and isinstance(source, File):
        look = None if read_once else f"onebit inspect {path}{given}"
        _say_if_worse_than_majority(results[0], compare, look)
    if save is not None and trial in agents:
        agents[trial].save(save, replay=not no_replay)
        echo(f"wrote {save}", err=True)
    write_out(results, out)
    if not all_played:
        raise KeyboardInterrupt


def _print_result(result: Result) -> None:
    from onebit.experiment.report.summary import recipe_of, stream_name

    stream = " with ".join([stream_name(result.stream), *result.transforms])
    echo(f"{stream}: {recipe_of(result.learner).brief}, seed {result.seed}")
    echo(
        f"{counted(result.rounds, 'round')}{' (cut off by Ctrl-C)' if result.interrupted else ''},"
        f" {counted(result.mistakes, 'mistake')}, error {result.error:.4g},"
        f" {result.seconds:.2f} s, {result.us_per_round:.2f} us/round in the kernel"
    )
    print_curve(result)


def _print_others(trials: list[Trial], default: Result, compare: str) -> bool:
    """Print what a few other learners would have cost on the same rounds.

    Returns whether all have played; those that Ctrl-C cut off are left out.
    """
    from onebit.experiment.report.summary import recipe_of

    found, failures = run_trials(trials)
    others = [result for result in found if not result.interrupted]
    echo("\nno learner was named; the default, and what others would have cost:")
    for result in [default, *others]:
        more = result.mistakes - default.mistakes
        cost = "" if result is default else f"{more:+,} mistakes"
        echo(
            f"  {recipe_of(result.learner).spec.name:<16} error {result.error:<#9.4g}"
            f" {result.us_per_round:8.2f} us/round  {cost}".rstrip()
        )
    echo(f"one seed; `{compare} --seeds 10` ranks every learner, with its spread.")
    return len(others) + len(failures) == len(trials)


def _say_if_worse_than_majority(result: Result, compare: str, look: str | None) -> None:
    """Say so if always playing the most frequent label would have made fewer mistakes.

    `compare` and `look` are the commands to try; what is read only once cannot be looked at, None.
    """
    if not result.regret or result.fixed != "labels" or result.regret <= 0:
        return
    majority = (result.mistakes - result.regret) / max(result.rounds, 1)
    hint = f"try `{compare}`, and `{look}` to see what its columns were taken for"
    if look is None:
        hint = "a file can be inspected, and its numbers are scaled"
    echo(
        f"worse than the majority label, {result.best_fixed}, which alone errs {majority:.4g};"
        f" {hint}.",
        err=True,
    )
