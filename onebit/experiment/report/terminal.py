"""The report on the terminal: a small table for each experiment, as wide as there is room."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from onebit.experiment.report.page import HEADER, row
from onebit.experiment.report.reproduce import Report

#: The columns of a cell that are told, and which of them go first where there is no room.
COLUMNS = ("", "paper", "ours", "at", "chosen on other orders", "verdict")
SPARE = ("chosen on other orders", "at")


def lines(report: Report, width: int) -> list[str]:
    """Return what there is to say of an experiment, in lines of at most a width if possible."""
    unit = " (errors in percent)" if report.cells else ""
    said = [f"{report.experiment.name}: {report.experiment.title}{unit}"]
    if report.missing:
        return [*said, *_wrap(f"not run: {report.missing}", width)]
    if report.cells:
        places = [HEADER.index(name) for name in COLUMNS[:-1]]
        rows = [[*(row(cell)[n] for n in places), cell.verdict] for cell in report.cells]
        said += columns(COLUMNS, rows, width, SPARE)
    for facts in report.tables:
        brief = facts.brief or facts
        said += columns(brief.header, brief.texts(), width)
    if report.unfinished:
        names = ", ".join(report.unfinished)
        said += _wrap(f"not told, because a run failed: {names}", width)
    return said if len(said) > 1 else [*said, "  to be read in the report"]


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent="  ", subsequent_indent="  ")


def columns(
    header: Sequence[str], rows: Sequence[Sequence[str]], width: int, spare: Sequence[str] = ()
) -> list[str]:
    """Return rows as columns, words to the left, without the spare ones if there is no room."""
    kept = [n for n in range(len(header)) if any(texts[n] for texts in rows)]
    for name in (None, *spare):
        kept = [n for n in kept if header[n] != name]
        widths = {n: max(len(header[n]), *(len(texts[n]) for texts in rows)) for n in kept}
        if 2 * len(kept) + sum(widths.values()) <= width:
            break
    right = {n for n in kept if all(texts[n][:1] in "-0123456789" for texts in rows)}
    return [
        "".join(
            "  " + (texts[n].rjust(widths[n]) if n in right else texts[n].ljust(widths[n]))
            for n in kept
        ).rstrip()
        for texts in (header, *rows)
    ]
