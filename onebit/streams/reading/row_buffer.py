"""A buffer for the rows that compiled code parses out of a chunk of text.

Numbers that compiled code cannot round correctly are deferred: it notes where they are, and
Python's float() reads them.
"""

from __future__ import annotations

from math import isnan
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.kernel.rows import Floats, Ints, Starts
from onebit.kernel.verbs import kernel

Int64s = npt.NDArray[np.int64]

#: Places in `RowBuffer.cursor`: the next byte, the number of the line, how many rows, entries and
#: deferred numbers there are, the error in the line (0 if none) with the token where it is, and
#: how many importance weights were not 1.
POSITION, LINE, ROWS, ENTRIES, DEFERRED_COUNT, ERROR, ERROR_START, ERROR_STOP, WEIGHTS = range(9)


class RowBuffer(NamedTuple):
    """Arrays for rows: line numbers, where the labels are in the text, and entries as in CSR."""

    cursor: Int64s
    lines: Int64s
    label_starts: Int64s
    label_stops: Int64s
    starts: Starts
    indices: Ints
    values: Floats
    #: Of each deferred number: its entry, where it is in the text, and what to multiply it by; nan
    #: for the value that is there.
    deferred: Int64s
    deferred_starts: Int64s
    deferred_stops: Int64s
    deferred_scales: Floats

    @property
    def capacity(self) -> int:
        """How many bytes of text it can hold the entries of."""
        return 2 * len(self.indices) - 2


def new_row_buffer(size: int, rows: int) -> RowBuffer:
    """Return a buffer for at most `rows` rows of `size` bytes; an entry takes at least 2 bytes."""
    entries = -(-size // 2) + 1
    rows = min(rows, entries)
    arrays = [np.empty(n, np.int64) for n in (rows, rows, rows, rows + 1, *[entries] * 3)]
    lines, label_starts, label_stops, starts, deferred, deferred_starts, deferred_stops = arrays
    starts[0] = 0
    return RowBuffer(
        np.zeros(9, np.int64), lines, label_starts, label_stops, starts,
        np.empty(entries, np.int32), np.empty(entries),
        deferred, deferred_starts, deferred_stops, np.empty(entries),
    )  # fmt: skip


@kernel
def defer_number(
    buffer: RowBuffer, count: int, entry: int, scale: float, start: int, stop: int
) -> int:
    """Leave the number text[start:stop], the value of an entry, to Python; return the new count."""
    buffer.deferred[count], buffer.deferred_scales[count] = entry, scale
    buffer.deferred_starts[count], buffer.deferred_stops[count] = start, stop
    return count + 1


def read_deferred(buffer: RowBuffer, chunk: bytes) -> None:
    """Read the deferred numbers with float()."""
    for n in range(buffer.cursor[DEFERRED_COUNT]):
        number = float(chunk[buffer.deferred_starts[n] : buffer.deferred_stops[n]])
        entry, scale = buffer.deferred[n], float(buffer.deferred_scales[n])
        buffer.values[entry] = number * (float(buffer.values[entry]) if isnan(scale) else scale)
    buffer.cursor[DEFERRED_COUNT] = 0
