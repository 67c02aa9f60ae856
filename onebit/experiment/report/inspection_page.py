"""The page of `onebit inspect`: what is in a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from onebit.errors import file_error
from onebit.experiment.report.pages import write_pages
from onebit.experiment.report.section import Front, Section
from onebit.experiment.report.table import Table
from onebit.streams.inspecting import ColumnFacts, Inspection


def _last(column: ColumnFacts, leaks: bool) -> tuple[str, ...]:
    """Return the last cells of a column: examples, and if any column has one, its leak."""
    examples = " ".join(f"\N{LEFT DOUBLE QUOTATION MARK}{each}\N{RIGHT DOUBLE QUOTATION MARK}"
                        for each in column.examples)  # fmt: skip
    return (examples, column.leak) if leaks else (examples,)


def write_inspection(found: Inspection, commands: Sequence[str], out: Path) -> list[Path]:
    """Write the page into a directory and return its files.

    Raises
    ------
    BadInput
        If the directory cannot be written.
    """
    leaks = any(c.leak for c in found.columns)
    columns: list[tuple[str | int, ...]] = [
        (c.name, c.kind, c.becomes, c.gaps, c.different, *_last(c, leaks)) for c in found.columns
    ]
    labels = [(name, n, f"{n / found.rows:.1%}") for name, n in found.labels.items()]
    header = ("column", "taken for", "becomes", "gaps", "different", "examples", "leak")
    sections = [
        Section("labels", "Labels", tables=[Table(("label", "rows", "share"), labels)]),
        Section("try", "Try next", text="\n\n".join(f"`{each}`" for each in commands)),
    ]
    if columns:
        sections.insert(
            0, Section("columns", "Columns", tables=[Table(header[: 6 + leaks], columns)])
        )
    intro = (
        f"{found.format}, {found.rows:,} rows, {found.features:,} features,"
        f" {found.megabytes:,.1f} MB in memory; {found.facts}."
    )
    try:
        out.mkdir(parents=True, exist_ok=True)
        return write_pages(sections, out, Front(f"What is in {found.file}", intro))
    except OSError as error:
        raise file_error(f"onebit: {out} cannot be written", error) from None
