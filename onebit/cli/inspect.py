"""`onebit inspect`: what is in a file, before it is played."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from onebit.cli.options import file_options, file_spec, new_directory, typed_options
from onebit.cli.output import echo
from onebit.cli.running import print_written

if TYPE_CHECKING:
    from onebit.streams.inspecting import Inspection

_MOST_LABELS = 12
#: Characters for the examples of a column.
_WIDTH = 44


@click.command("inspect")
@click.argument("file")
@file_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", callback=new_directory,
              help="Also write a page into DIR.")  # fmt: skip
def inspect_command(file: str, as_json: bool, out: Path | None, **options: Any) -> None:
    """Say what is in FILE, and what to try.

    Columns and what they are taken for, labels, gaps, duplicates, leaks and order.
    """
    from onebit.errors import BadInput
    from onebit.streams.inspecting import inspect_file
    from onebit.streams.opening import is_file, resolve

    if not is_file(file):
        resolve(file)
        raise BadInput(f"onebit: inspect takes a file, got the stream {file}.")
    found = inspect_file(file_spec(file, **options))
    commands = next_commands(file, found, options)
    if as_json:
        columns = [column._asdict() for column in found.columns]
        echo(json.dumps({**found._asdict(), "columns": columns, "try": commands}))
    else:
        echo("\n".join(_lines(found, commands)))
    if out is not None:
        from onebit.experiment.report.inspection_page import write_inspection

        print_written(write_inspection(found, commands, out))


def next_commands(file: str, found: Inspection, options: dict[str, Any]) -> list[str]:
    """Return the three commands to try next, with the options that were given."""
    shuffled = ["shuffle"] if found.order == "rows are sorted by label" else []
    rest = typed_options(options, shuffled)
    path = shlex.quote(file)
    return [f"onebit play {path}{rest}", f"onebit compare {path} all{rest}",
            f"onebit play {path}{rest} --save agent.npz"]  # fmt: skip


def _some(examples: list[str]) -> list[str]:
    """Return the first example, and those after it that fit on a line of the table."""
    return [
        e for n, e in enumerate(examples) if len(" | ".join(examples[: n + 1])) <= _WIDTH or not n
    ]


def _lines(found: Inspection, commands: list[str]) -> list[str]:
    lines = [
        f"{found.file}: {found.format}, {found.rows:,} rows, {found.features:,} features,"
        f" {found.megabytes:,.1f} MB in memory",
        found.facts,
    ]
    if found.columns:
        lines += ["", f"  {'column':<20} {'taken for':<10} {'gaps':>7} {'different':>10}  examples"]
    for column in found.columns:
        examples = " | ".join(_some(column.examples))
        what = f"  ({column.becomes})" if column.becomes else ""
        lines.append(
            f"  {column.name[:20]:<20} {column.kind:<10} {column.gaps:>7,} {column.different:>10,}"
            f"  {examples}{what}"
        )
    lines += [f"  looks like a leak: {c.name} {c.leak}" for c in found.columns if c.leak]
    lines += ["", f"{len(found.labels):,} labels:"]
    for label, count in list(found.labels.items())[:_MOST_LABELS]:
        lines.append(f"  {label[:30]:<30} {count:>9,}  {count / found.rows:6.1%}")
    if len(found.labels) > _MOST_LABELS:
        lines.append(f"  and {len(found.labels) - _MOST_LABELS:,} more")
    return [*lines, "", "try next:", *(f"  {command}" for command in commands)]
