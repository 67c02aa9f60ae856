"""A section on the terminal: its tables as aligned columns, as wide as the terminal allows."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from onebit.experiment.report.row_texts import HEADER, NOT_PLAYED, row_texts
from onebit.experiment.report.section import Section

#: The columns of the main table, and those that are dropped first on a narrow terminal.
COLUMNS = ("", "paper", "ours", "difference", "window", "at", "chosen on other orders", "verdict")
OPTIONAL = ("chosen on other orders", "at", "difference", "window")


def section_lines(section: Section, width: int) -> list[str]:
    """Return a section in lines of at most a width if possible."""
    unit = " (errors in percent)" if section.rows else ""
    lines = [f"{section.name}: {section.title}{unit}"]
    if section.missing:
        lines += _wrap(f"{NOT_PLAYED}: {section.missing}", width)
    if section.rows:
        places = [HEADER.index(name) for name in COLUMNS]
        rows = [[row_texts(row)[n] for n in places] for row in section.rows]
        lines += columns(COLUMNS, rows, width, OPTIONAL)
    for table in section.tables:
        brief = table.brief or table
        lines += columns(brief.header, brief.texts(), width)
    if section.failed:
        names = ", ".join(section.failed)
        lines += _wrap(f"not shown, because a run failed: {names}", width)
    return lines if len(lines) > 1 else [*lines, "  to be read in the report"]


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent="  ", subsequent_indent="  ")


def columns(
    header: Sequence[str], rows: Sequence[Sequence[str]], width: int, optional: Sequence[str] = ()
) -> list[str]:
    """Return rows as columns, words aligned left, numbers right.

    Optional columns are dropped one by one until the lines fit the width.
    """
    kept = [n for n in range(len(header)) if any(texts[n] for texts in rows)]
    for name in (None, *optional):
        kept = [n for n in kept if header[n] != name]
        widths = {n: max(len(header[n]), *(len(texts[n]) for texts in rows)) for n in kept}
        if 2 * len(kept) + sum(widths.values()) <= width:
            break
    right = {n for n in kept if all(texts[n][:1] in "+-±0123456789" for texts in rows)}
    return [
        "".join(
            "  " + (texts[n].rjust(widths[n]) if n in right else texts[n].ljust(widths[n]))
            for n in kept
        ).rstrip()
        for texts in (header, *rows)
    ]
