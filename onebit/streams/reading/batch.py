"""What formats take and return: one pass over a file, the layout of features, batches of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from onebit.kernel.rows import SparseRows
from onebit.kernel.sizes import Column
from onebit.streams.reading.bad_lines import BadLines
from onebit.streams.reading.labels import RawLabels
from onebit.streams.reading.row_buffer import Int64s
from onebit.streams.reading.row_cleanup import Flags
from onebit.streams.reading.source import Source
from onebit.streams.tables.encoder import Encoder

__all__ = ["Batch", "Format", "Layout", "Reading"]


class Layout(NamedTuple):
    """The features of a file.

    Attributes
    ----------
    features : int
        How many there are.
    columns : tuple of Column
        Which of them form columns.
    details : object
        What the format needs to read the rows.
    encoder : Encoder or None
        What turns the records of a table into rows, None if the file is no table.
    told : str
        What was found about the columns, for the user.
    exact : bool
        Whether all rows that the survey accepted fit; else a pass with this layout counts them.
    """

    features: int
    columns: tuple[Column, ...] = ()
    details: Any = None
    encoder: Encoder | None = None
    told: str = ""
    exact: bool = True


class Batch(NamedTuple):
    """Some rows as they were read.

    Attributes
    ----------
    rows : SparseRows
        The rows; features may be in any order, and there may be several values of one.
    labels : list of str, or LabelSpans
        The label of each row, as it is written.
    lines : array of int64
        The number of each row's line.
    valid : array of bool, or None
        Which rows have a norm of at most 1e100, if features are sorted and added up and zeros are
        left out; None if that is still to be done.
    span : tuple of int
        The lowest and the highest feature that is written, also if its value is 0, for formats
        that number features.
    """

    rows: SparseRows
    labels: RawLabels
    lines: Int64s
    valid: Flags | None = None
    span: tuple[int, int] = (1, 0)


class Reading(NamedTuple):
    """One pass over a file.

    Attributes
    ----------
    source : Source
        The file: `chunks()` yields its bytes, decompressed, whole lines at a time.
    bad_lines : BadLines
        What to call for a malformed line: `reject(number, must, got)`.
    """

    source: Source
    bad_lines: BadLines


class Format(Protocol):
    """The methods of a format."""

    def layout(self, repeatable: bool) -> Layout | None:
        """Return the layout if it is known without reading.

        Parameters
        ----------
        repeatable : bool
            Whether the file can be read more than once.

        Returns
        -------
        Layout or None
            The layout, None if a first pass must find it.
        """

    def survey(self, reading: Reading, on_batch: Callable[[Batch], object]) -> Layout:
        """Find the layout in a first pass; called only if `layout` returns None.

        Parameters
        ----------
        reading : Reading
            The pass over the file.
        on_batch : callable
            To be called with every batch; the features of its rows are not used.

        Returns
        -------
        Layout
            The layout.
        """

    def batches(self, reading: Reading, layout: Layout) -> Iterator[Batch]:
        """Read the rows.

        Parameters
        ----------
        reading : Reading
            The pass over the file.
        layout : Layout
            What `layout` or `survey` returned.

        Yields
        ------
        Batch
            Rows in the order of the file.
        """


def empty_rows(count: int) -> SparseRows:
    """Return rows without features."""
    return SparseRows(np.zeros(count + 1, np.int64), np.empty(0, np.int32), np.empty(0))
