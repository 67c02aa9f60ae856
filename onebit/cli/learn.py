"""`onebit learn`: learning from a log of past decisions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from onebit.cli.options import SEED, file_options, file_spec, new_file, number
from onebit.cli.output import echo
from onebit.naming.params import Param, Real

RIGHT = Param("right", Real("[-1e100, 1e100]"), 0.0, "")


@click.command("learn")
@click.argument("log")
@click.argument("learner")
@file_options
@click.option("--save", type=click.Path(path_type=Path), metavar="AGENT.npz", callback=new_file,
              help="Write the agent that learned, for Agent.load.")  # fmt: skip
@click.option("--right", metavar="COST", default="0", show_default=True, callback=number(RIGHT),
              help="The cost that means right in a VW log; one more means wrong.")  # fmt: skip
@click.option("--seed", metavar="S", default="0", show_default=True, callback=number(SEED),
              help="Seed of the learner's random draws.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout.")
def learn_command(
    log: str, learner: str, save: Path | None, right: float, seed: int, as_json: bool, **file: Any
) -> None:
    """Let LEARNER learn from a LOG of past decisions.

    A line of the log has a row, the label that was played, its prob, and the bit.
    """
    from onebit.experiment.run.replay import learn_from_log

    agent, done = learn_from_log(file_spec(log, **file), learner, seed, right)
    if save is not None:
        agent.save(save)
        echo(f"wrote {save}", err=True)
    if as_json:
        echo(json.dumps(done._asdict()))
        return
    echo(f"{done.log}: {agent.recipe.brief}, seed {done.seed}")
    echo(f"{done.used:,} of {done.rows:,} rows used")
    for why, count in done.unused.items():
        echo(f"{count:>12,} not used: {why}")
