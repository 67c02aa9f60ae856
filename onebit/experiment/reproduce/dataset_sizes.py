"""The sizes of data sets: as a paper prints them, and as counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from onebit import streams
from onebit.experiment.papers import Size
from onebit.experiment.report.table import Table, Value
from onebit.streams.opening import resolve

_HEADER = ("data set", "labels, paper", "labels", "features, paper", "columns", "features",
           "rows, paper", "rows", "")  # fmt: skip


class Counted(NamedTuple):
    """The counted size of a stream."""

    labels: int
    columns: int
    features: int
    rows: int | None


def size_table(sizes: Sequence[Size]) -> Table:
    """Return the table of printed and counted sizes."""
    rows = [_row(size) for size in sizes]
    names = ("data set", "labels", "features", "rows", "")
    brief = [[row[0], row[2], row[5], row[7], str(row[8]).partition(";")[0]] for row in rows]
    return Table(_HEADER, rows, Table(names, brief))


def count(source: Any) -> Counted | None:
    """Count a stream's labels, columns, features and rows; None if its data is not here."""
    if hasattr(source, "absent") and source.absent():
        return None
    opened = source.open(0)
    rows = sum(block.rounds for block in opened.blocks())
    columns = len(opened.columns) or opened.features
    return Counted(len(opened.labels), columns, opened.features, rows)


def declared(source: Any) -> Counted:
    """Return what a stream file declares of its data."""
    traits = streams.traits(type(source))
    return Counted(traits.labels, traits.features, traits.features, traits.rows)


def agrees(size: Size, counted: Counted) -> bool:
    """Return whether a size is as printed, features counted before or after one-hot encoding."""
    same = (size.labels, size.rows) == (counted.labels, counted.rows)
    return same and size.features in (counted.columns, counted.features)


def _row(size: Size) -> list[Value]:
    _, source = resolve(size.stream)
    found = count(source)
    counted = found or declared(source)
    words = ["as printed" if agrees(size, counted) else "differs"]
    words += [] if found else ["as declared, the data is not here"]
    words += [size.note] if size.note else []
    return [
        size.stream.upper(), size.labels, counted.labels, size.features, counted.columns,
        counted.features, size.rows, counted.rows, "; ".join(words),
    ]  # fmt: skip
