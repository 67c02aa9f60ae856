"""`onebit compare`: several learners on one stream."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from onebit.cli.options import file_options, file_spec, play_options, pool_options
from onebit.cli.output import echo
from onebit.cli.running import check_trial_count, run_or_raise, run_trials, write_out

if TYPE_CHECKING:
    from onebit.experiment.run.trial import Trial

#: Stands for every learner that fits.
ALL = "all"


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
    """Play STREAM with several learners and compare them.

    STREAM is a file, or one that `onebit streams` lists.

    The LEARNER `all` stands for every learner that hears one bit and fits the stream, beside
    majority, uniform and the perceptron, which is told the labels; those far worse than the best
    after 2,000 rounds are stopped.
    """
    from onebit.experiment.run.bound_fit import bound_curve
    from onebit.experiment.run.store import Store
    from onebit.experiment.run.trial import Trial

    for each in bound:
        bound_curve(each, [1])  # raises BadInput for a bad bound before the trials run
    spec, chosen = file_spec(stream, **file), [name for name in learners if name != ALL]
    first = Trial.parse(spec, (*chosen, "majority")[0], seed, rounds, transforms)
    if ALL in learners:
        chosen += _all_that_fit(first, workers)
    check_trial_count(len(chosen) * seeds)
    trials = dict.fromkeys(
        trial
        for learner in chosen
        for trial in first.with_learner(learner).over_seeds(range(seed, seed + seeds))
    )
    store = None if out is None else Store(out)
    results = run_or_raise(list(trials), workers, as_json, processes, dask, store)
    if not as_json:
        from onebit.experiment.report.text_tables import comparison_table

        echo(comparison_table(results))
        if ALL in learners:
            echo("majority: always the most frequent label; perceptron: told every label")
    write_out(results, out, bound)


def _all_that_fit(first: Trial, workers: int | None) -> list[str]:
    """Return the learners that `all` stands for, after a short trial; say which are left out."""
    from dataclasses import replace

    from onebit.experiment.run.candidates import (
        BASELINES,
        TRIED_ROUNDS,
        one_bit_learners,
        split_hopeless,
    )
    from onebit.experiment.run.playing import rounds_to_play
    from onebit.streams.opening import resolve_transform

    opened = first.open_stream()
    rounds = rounds_to_play(first, opened)
    taken = resolve_transform(f"take:n={min(TRIED_ROUNDS, rounds)}")  # or all, if they are fewer
    tried = replace(first, rounds=None, transforms=(*first.transforms, taken))
    ours, slow = one_bit_learners(len(opened.labels), opened.features)
    for name in slow:
        echo(f"{name} is left out: too slow for {opened.features:,} features", err=True)
    names = [*ours, *BASELINES]
    trials = [tried.with_learner(name) for name in names]
    results, failures = run_trials(trials, workers)
    if len(results) + len(failures) < len(trials) or any(r.interrupted for r in results):
        raise KeyboardInterrupt
    for trial, error in failures:
        echo(
            f"{trial.learner.spec.name} does not fit: {str(error).removeprefix('onebit: ')}",
            err=True,
        )
    failed = {trial for trial, _ in failures}
    if len(failed) == len(trials):
        raise failures[0][1]
    if rounds <= TRIED_ROUNDS or (results and results[0].rounds < TRIED_ROUNDS):  # all were played
        return [name for name, trial in zip(names, trials, strict=True) if trial not in failed]
    going, stopped = split_hopeless([t for t in trials if t not in failed], results)
    for result in sorted(stopped, key=lambda result: result.error):
        echo(
            f"{result.learner.partition(':')[0]} is stopped after {result.rounds:,} rounds, error"
            f" {result.error:.4g}",
            err=True,
        )
    return [trial.learner.spec.name for trial in going]
