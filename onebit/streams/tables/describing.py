"""What each column was taken for, as a short table for the user."""

from __future__ import annotations

from collections.abc import Sequence

from onebit.streams.tables.encoder import ColumnCode, Encoder
from onebit.streams.tables.kinds import CONSTANT, DATE, DROP, ID, LABEL, LEFT_OUT, NUMBER, TEXT
from onebit.streams.tables.survey import ColumnSurvey

#: Columns that are named in a line.
_NAMED = 6


def describe(encoder: Encoder, surveys: Sequence[ColumnSurvey]) -> str:
    """Return a line for each kind of column, with the columns of that kind."""
    groups: dict[tuple[str, str], list[str]] = {}
    for code, survey in zip(encoder.codes, surveys, strict=True):
        what = [what_becomes(code)]
        if survey.gaps and code.kind not in (LABEL, *LEFT_OUT):
            what.append("with gaps")
        groups.setdefault((code.kind, ", ".join(filter(None, what))), []).append(code.name)
    rows = [("column", "taken for", "")]
    rows += [(_listed(names), kind, what) for (kind, what), names in groups.items()]
    width = max(len(names) for names, _, _ in rows)
    return "\n".join(f"  {names:<{width}}  {kind:<9} {what}".rstrip() for names, kind, what in rows)


def what_becomes(code: ColumnCode) -> str:
    """Return what becomes of a column, in a few words."""
    if code.kind in (ID, CONSTANT, DROP):
        return "left out"
    if code.kind == NUMBER:
        marks = {"comma": "decimal comma", "thousands": "with thousands marks"}.get(code.style, "")
        by_value = f"and each of {len(code.values)} values" if code.values else ""
        return ", ".join(filter(None, (marks, by_value)))
    if code.kind == TEXT:
        return "words, hashed"
    if code.kind == DATE:
        order = f" ({code.style})" if code.style in ("day-first", "month-first") else ""
        return ", ".join(code.parts) + order
    if code.hashed:
        return "hashed"
    return f"{len(code.values)} values" if len(code.values) > 2 else ""


def _listed(names: Sequence[str]) -> str:
    """Return names for a line, in the middle left out if they are many."""
    if len(names) <= _NAMED:
        return ", ".join(names)
    return f"{', '.join(names[:3])}, ..., {names[-1]} ({len(names)})"
