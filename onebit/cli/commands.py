"""All commands of the command line, as one group."""

from __future__ import annotations

import click

from onebit.cli import (
    bound,
    check,
    compare,
    inspect,
    learn,
    lists,
    log,
    pack,
    play,
    reproduce,
    serve,
    sweep,
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="onebit")
@click.option("--debug", is_flag=True, help="Show a traceback when something goes wrong.")
def cli(debug: bool) -> None:
    """Learn the right label from one bit of feedback: right or wrong.

    A learner, stream or transform is named by a spec: NAME or NAME:key=value,key=value,
    such as banditron:gamma=0.0156.
    """


for _command in (
    lists.learners_command, lists.explorers_command, lists.hypotheses_command,
    lists.streams_command, lists.formats_command, play.play_command, compare.compare_command,
    inspect.inspect_command, sweep.sweep_command, reproduce.reproduce_command, bound.bound_command,
    learn.learn_command,
    pack.pack_command, check.check_command, serve.serve_command,
    log.log_group,
):  # fmt: skip
    cli.add_command(_command)
