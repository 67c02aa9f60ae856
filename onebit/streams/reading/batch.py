"""What a format gives and takes: batches of rows, the layout of features, one pass over a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from onebit.kernel.rows import SparseRows
from onebit.kernel.state import Column
from onebit.streams.reading.bad_lines import Bad
from onebit.streams.reading.labels import Spelled
from onebit.streams.reading.row_buffer import Longs
from onebit.streams.reading.source import Source


class Layout(NamedTuple):
    """What the features of a file are: how many, which columns they make, a format's own notes."""

    features: int
    columns: tuple[Column, ...] = ()
    notes: Any = None


class Batch(NamedTuple):
    """Some rows as they were read: features in any order, labels as spelled, and their lines.

    The labels and lines are good until the next batch is asked for.
    """

    rows: SparseRows
    labels: Spelled
    lines: Longs


class Reading(NamedTuple):
    """One pass over a file: where its bytes come from, and what becomes of bad lines."""

    source: Source
    bad: Bad


class Format(Protocol):
    """What every format does."""

    def layout(self, repeatable: bool) -> Layout | None:
        """Return the features without reading; None if a repeatable file must be read for it."""

    def survey(self, reading: Reading, see: Callable[[Batch], object]) -> Layout:
        """Find the layout of a file that has none yet, and pass every batch to `see`."""

    def batches(self, reading: Reading, layout: Layout) -> Iterator[Batch]:
        """Read the rows."""


def no_rows(count: int) -> SparseRows:
    """Return so many rows without features, for a pass that looks only at labels."""
    return SparseRows(np.zeros(count + 1, np.int64), np.empty(0, np.int32), np.empty(0))
