"""The command line: all commands, and how errors and warnings are printed."""

from __future__ import annotations

import os
import sys
import warnings
from typing import NoReturn

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
from onebit.errors import BadInput, Remark


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
    inspect.inspect_command, sweep.sweep_command, reproduce.reproduce_command,
    bound.bound_command, learn.learn_command,
    pack.pack_command, check.check_command, serve.serve_command,
    log.log_group,
):  # fmt: skip
    cli.add_command(_command)


def _print_remarks_as_sentences() -> None:
    """Print the warning of a learner as its sentence alone, without file and line."""
    usual = warnings.formatwarning

    def plain(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        line: str | None = None,
    ) -> str:
        if issubclass(category, Remark):
            return f"{message}\n"
        return usual(message, category, filename, lineno, line)

    warnings.formatwarning = plain


def main() -> NoReturn:
    """Run the command line; bad input is printed as one sentence, with exit code 2."""
    _print_remarks_as_sentences()
    try:
        sys.exit(cli.main(standalone_mode=False))
    except (BadInput, click.ClickException) as error:
        if "--debug" in sys.argv:
            raise
        text = error.format_message() if isinstance(error, click.ClickException) else str(error)
        click.echo(f"onebit: {text}" if isinstance(error, click.ClickException) else text, err=True)
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        click.echo("onebit: interrupted.", err=True)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


if __name__ == "__main__":
    main()
