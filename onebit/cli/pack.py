"""`onebit pack`: a file in the binary format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from onebit.cli.options import file_options, file_spec, new_file
from onebit.cli.output import echo
from onebit.errors import BadInput


@click.command("pack")
@click.argument("file_", metavar="FILE")
@file_options
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="OUT.onebit",
              callback=new_file,
              help="Where to write.  [default: beside FILE, with the ending .onebit]")  # fmt: skip
def pack_command(file_: str, output: Path | None, **file: Any) -> None:
    """Write FILE in a binary form, which is read much faster."""
    from onebit.streams.file import File
    from onebit.streams.formats.packed import pack
    from onebit.streams.opening import resolve

    spec, source = resolve(file_spec(file_, **file))
    if output is None:
        if not isinstance(source, File) or spec.name == "-":
            raise BadInput("onebit: -o OUT.onebit must say where to write, got nothing.")
        output = source.source.uncompressed_path.with_suffix(".onebit")
    rows = pack(source.open(0), output, str(spec))
    size = output.stat().st_size
    echo(f"wrote {output}: {rows:,} rows, {size / 1e6:,.1f} MB", err=True)
