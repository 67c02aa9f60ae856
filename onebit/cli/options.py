"""Options that several commands share, checked by the rules of parameters."""

from __future__ import annotations

import errno
import os
import shlex
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from onebit.errors import BadInput, file_error
from onebit.naming.params import Param, Whole, check_params
from onebit.naming.spec import Spec

ROUNDS = Param("rounds", Whole(1, 10**15), None, "")
SEED = Param("seed", Whole(0), 0, "")
SEEDS = Param("seeds", Whole(1), 1, "")
WORKERS = Param("workers", Whole(1, 1000), os.cpu_count() or 1, "")


def number(param: Param) -> Any:
    """Return a callback that checks an option with a parameter's rule."""

    def read(context: click.Context, option: click.Parameter, value: str | None) -> int | None:
        if value is None:
            return None
        return check_params("onebit", [param], {param.name: value})[param.name]  # type: ignore[no-any-return]

    return read


def new_file(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    """Check that a file can be made where an option says, before the work that it is to hold."""
    if path is not None:
        _check_writable(path, path.absolute().parent)
        if path.is_dir():
            raise _cannot_write(path, errno.EISDIR)
    return path


def new_directory(
    context: click.Context, option: click.Parameter, path: Path | None
) -> Path | None:
    """Check that a directory is where an option says, or can be made there."""
    if path is not None:
        above = (path.absolute(), *path.absolute().parents)
        _check_writable(path, next(each for each in above if each.exists()))
    return path


def report_directory(
    context: click.Context, option: click.Parameter, path: Path | None
) -> Path | None:
    """Check that a directory can be made, and that figures can be drawn."""
    if path is not None and find_spec("matplotlib") is None:
        from onebit.experiment.report.canvas import NO_MATPLOTLIB

        raise BadInput(NO_MATPLOTLIB)
    return new_directory(context, option, path)


def _check_writable(path: Path, folder: Path) -> None:
    if not folder.is_dir():
        raise _cannot_write(path, errno.ENOTDIR if folder.exists() else errno.ENOENT)
    if not os.access(folder, os.W_OK):
        raise _cannot_write(path, errno.EACCES)


def _cannot_write(path: Path, code: int) -> BadInput:
    return file_error(f"onebit: {path} cannot be written", OSError(code, os.strerror(code)))


def play_options(command: Any) -> Any:
    """Add the options that `play`, `compare` and `sweep` share."""
    out = click.option("--out", type=click.Path(path_type=Path), metavar="DIR",
                       callback=report_directory,
                       help="Also write results and figures into DIR.")  # fmt: skip
    return stream_options(out(command))


def stream_options(command: Any) -> Any:
    """Add the options for what is played, and for printing it as JSON."""
    for option in (
        click.option("--json", "as_json", is_flag=True,
                     help="Print one JSON object a line, and nothing else, on stdout."),
        click.option("--seed", metavar="S", default="0", show_default=True, callback=number(SEED),
                     help="Seed of the stream, its order and the learner's random draws."),
        click.option("--rounds", metavar="N", callback=number(ROUNDS),
                     help="How many rounds to play.  [default: one pass; 1000000 if endless]"),
        click.option("--with", "transforms", multiple=True, metavar="TRANSFORM",
                     help="Put the stream through NAME[:key=value,...]; repeatable, in order."),
    ):  # fmt: skip
        command = option(command)
    return command


def pool_options(command: Any) -> Any:
    """Add the options for seeds and for where trials run."""
    for option in (
        click.option("--dask", metavar="ADDRESS", help="Run the trials on a Dask cluster."),
        click.option("--processes", is_flag=True, help="Run the trials in processes, not threads."),
        click.option("--workers", metavar="W", callback=number(WORKERS),
                     help="How many trials run at once.  [default: one a core]"),
        click.option("--seeds", metavar="N", default="1", show_default=True,
                     callback=number(SEEDS), help="Use N seeds, from --seed on."),
    ):  # fmt: skip
        command = option(command)
    return command


def file_options(command: Any) -> Any:
    """Add the options for reading a file."""
    for option in (
        click.option("--skip-bad", is_flag=True,
                     help="Count malformed lines of a file and go on."),
        click.option("--label-column", metavar="COLUMN",
                     help="The column of a file that holds the label: its name or number."),
        click.option("--drop", metavar="A,B,...",
                     help="Columns of a table to leave out: names or numbers."),
        click.option("--text", metavar="A,B,...",
                     help="Columns of a table that are texts: names or numbers."),
        click.option("--labels", metavar="A,B,...",
                     help="The labels of a file, in this order.  [default: found in a first pass]"),
        click.option("--format", "format", metavar="FORMAT",
                     help="How a file is written.  [default: by its ending; see docs/files.md]"),
    ):  # fmt: skip
        command = option(command)
    return command


def file_spec(
    stream: str, format: str | None, labels: str | None, label_column: str | None, skip_bad: bool,
    drop: str | None = None, text: str | None = None,
) -> Spec:  # fmt: skip
    """Return the spec of a stream with the options for files added.

    Raises
    ------
    BadInput
        If options for files are given for a stream that is not a file.

    """
    from onebit.streams.file import parse_spec, with_options
    from onebit.streams.opening import is_file, resolve

    options = {
        "format": format,
        "labels": None if labels is None else _words(labels),
        "label": label_column,
        "bad": "skip" if skip_bad else None,
        "kinds": tuple(f"{c}/drop" for c in _words(drop))
        + tuple(f"{c}/text" for c in _words(text)),
    }
    options["kinds"] = options["kinds"] or None
    given = any(value is not None for value in options.values())
    if given and not is_file(stream):
        resolve(stream)  # if there is no such stream either, say so
        raise BadInput(
            "onebit: --format, --labels, --label-column, --drop, --text and --skip-bad are for"
            f" files, got the stream {stream}."
        )
    given_kinds = parse_spec(stream).params.get("kinds", ())
    if options["kinds"] is not None and given_kinds:
        before = (given_kinds,) if isinstance(given_kinds, str) else tuple(given_kinds)
        options["kinds"] = (*before, *options["kinds"])
    return with_options(stream, options)


def typed_options(
    options: Mapping[str, Any], transforms: Sequence[str] = (), rounds: int | None = None
) -> str:
    """Return the options for files, transforms and rounds as they are typed, after a blank each."""
    names = {"label_column": "--label-column", "drop": "--drop", "text": "--text",
             "labels": "--labels", "format": "--format"}  # fmt: skip
    given = [f" {name} {shlex.quote(options[k])}" for k, name in names.items() if options.get(k)]
    given += [" --skip-bad"] * bool(options.get("skip_bad"))
    given += [f" --with {shlex.quote(each)}" for each in transforms]
    return "".join(given) + ("" if rounds is None else f" --rounds {rounds}")


def _words(listed: str | None) -> tuple[str, ...]:
    """Return the words of an option that takes several with commas between them."""
    return () if listed is None else tuple(part.strip() for part in listed.split(","))
