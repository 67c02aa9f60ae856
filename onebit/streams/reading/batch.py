"""What formats take and return: one pass over a file, the layout of features, batches of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from onebit.kernel.rows import SparseRows
from onebit.kernel.state import Column
from onebit.streams.reading.bad_lines import BadLines
from onebit.streams.reading.labels import RawLabels
from onebit.streams.reading.row_buffer import Int64s
from onebit.streams.reading.source import Source


class Layout(NamedTuple):
    """How many features a file has, its categorical columns, and what its format needs to read."""

    features: int
    columns: tuple[Column, ...] = ()
    details: Any = None


class Batch(NamedTuple):
    """Some rows as they were read: features in any order, labels as written, line numbers.

    The labels and line numbers are valid until the next batch is read.
    """

    rows: SparseRows
    labels: RawLabels
    lines: Int64s


class Reading(NamedTuple):
    """One pass over a file: its bytes, and what to do with malformed lines."""

    source: Source
    bad_lines: BadLines


class Format(Protocol):
    """The methods of a format."""

    def layout(self, repeatable: bool) -> Layout | None:
        """Return the layout if it is known without reading; None if a first pass must find it."""

    def survey(self, reading: Reading, on_batch: Callable[[Batch], object]) -> Layout:
        """Find the layout in a first pass, and pass every batch to `on_batch`.

        It is called only if `layout` returns None.
        """

    def batches(self, reading: Reading, layout: Layout) -> Iterator[Batch]:
        """Read the rows."""


def empty_rows(count: int) -> SparseRows:
    """Return rows without features."""
    return SparseRows(np.zeros(count + 1, np.int64), np.empty(0, np.int32), np.empty(0))
