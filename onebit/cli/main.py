"""Running the command line: how errors, warnings and Ctrl-C become a sentence and an exit code."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from typing import NoReturn

from onebit.cli import interrupts


def main() -> NoReturn:
    """Run the command line; an error is one sentence: exit code 2, or 1 if the machine failed."""
    interrupts.watch()  # before anything is imported that takes time
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115  closed, as by `>&-`
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    code = _run()
    interrupts.ignore()
    if interrupts.asked():
        interrupts.leave(code)
    sys.exit(code)


def _run() -> int:
    """Run the command and return the exit code; --debug lets the error of a command pass."""
    import click

    from onebit.cli.commands import cli
    from onebit.errors import BadInput, MachineFailed

    for stream in (sys.stdout, sys.stderr):  # whatever a label or a file name is made of
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    _print_remarks_as_sentences()
    try:
        code = cli.main(standalone_mode=False)
        sys.stdout.flush()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    except (BadInput, click.ClickException, OSError, MemoryError) as error:
        if isinstance(error, OSError):
            _drop_output()
        if isinstance(error, BrokenPipeError):  # such as `onebit learners | head -1`
            return 1
        if "--debug" in sys.argv:
            raise
        _print(_sentence(error))
        return 1 if isinstance(error, MachineFailed | OSError | MemoryError) else 2
    except (KeyboardInterrupt, click.Abort):
        _print("onebit: interrupted.")
        return interrupts.EXIT_CODE
    return code if isinstance(code, int) else 0


def _sentence(error: BaseException) -> str:
    """Return the sentence of an error."""
    import click

    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.format_message()  # the help of a group
    if isinstance(error, click.ClickException):
        message = error.format_message().rstrip(".")
        if isinstance(error, click.NoSuchOption) and not error.possibilities:
            message += (
                "; parameters follow a name, as in banditron:gamma=0.1 or clicks.csv:decimal=comma"
            )
        return f"onebit: {message}{'' if message.endswith('?') else '.'}"
    if isinstance(error, MemoryError):
        return "onebit: the memory of this machine is not enough for this."
    if isinstance(error, OSError):
        where = (
            f"{error.filename} cannot be read or written" if error.filename else "the output failed"
        )
        return f"onebit: {where}: {error.strerror or error}."
    return str(error)


def _print(sentence: str) -> None:
    from onebit.cli.output import echo

    with contextlib.suppress(OSError):
        echo(sentence, err=True)


def _drop_output() -> None:
    """Discard what is still in the buffer of stdout, for writing it could fail again."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_remarks_as_sentences() -> None:
    """Print the warning of a learner as its sentence alone, without file and line."""
    from onebit.errors import Remark, printable

    usual = warnings.formatwarning

    def plain(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        line: str | None = None,
    ) -> str:
        if issubclass(category, Remark):
            return f"{printable(str(message))}\n"
        return usual(message, category, filename, lineno, line)

    warnings.formatwarning = plain
