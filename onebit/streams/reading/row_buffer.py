"""A sheet: room for the rows that are read out of a piece of text.

A compiled reader fills it; here the rest is done that all formats share: the
hard numbers are read, each row's features are sorted and added up, and rows
with values that are too large are found.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.kernel.features import LARGEST
from onebit.kernel.rows import Floats, Ints, SparseRows, Starts
from onebit.kernel.verbs import entry, kernel

Flags = npt.NDArray[np.bool_]
Longs = npt.NDArray[np.int64]

#: Where a reader notes its place: the next byte, the line it is in, rows and entries so far,
#: hard numbers so far, what is wrong with a line (0 if nothing), where, and odd weights.
AT, LINE, ROWS, ENTRIES, HARDS, WRONG, FROM, TO, WEIGHTS = range(9)


class Sheet(NamedTuple):
    """Rows in the making: where each one's label stands in the text, its line and its entries."""

    place: Longs
    lines: Longs
    labels_from: Longs
    labels_to: Longs
    starts: Starts
    indices: Ints
    values: Floats
    #: Hard numbers: which entry each is, where it stands in the text, what to multiply it by.
    hards: Longs
    hards_from: Longs
    hards_to: Longs
    hards_scale: Floats

    @property
    def size(self) -> int:
        """How many bytes of text it has room for."""
        return 2 * len(self.indices) - 2


def new_sheet(size: int, rows: int) -> Sheet:
    """Return a sheet for so many rows out of so many bytes: no entry is shorter than 2."""
    entries = -(-size // 2) + 1
    rows = min(rows, entries)
    longs = [np.empty(n, np.int64) for n in (rows, rows, rows, rows + 1, *[entries] * 3)]
    lines, labels_from, labels_to, starts, hards, hards_from, hards_to = longs
    starts[0] = 0
    return Sheet(
        np.zeros(9, np.int64), lines, labels_from, labels_to, starts,
        np.empty(entries, np.int32), np.empty(entries),
        hards, hards_from, hards_to, np.empty(entries),
    )  # fmt: skip


@kernel
def defer(sheet: Sheet, hards: int, entry: int, scale: float, start: int, stop: int) -> int:
    """Leave the number text[start:stop], the value of an entry, to Python; return the new count."""
    sheet.hards[hards], sheet.hards_scale[hards] = entry, scale
    sheet.hards_from[hards], sheet.hards_to[hards] = start, stop
    return hards + 1


def read_hards(sheet: Sheet, piece: bytes) -> None:
    """Let Python read the numbers that compiled code left to it."""
    for n in range(sheet.place[HARDS]):
        number = float(piece[sheet.hards_from[n] : sheet.hards_to[n]])
        sheet.values[sheet.hards[n]] = number * sheet.hards_scale[n]
    sheet.place[HARDS] = 0


def tidy(rows: SparseRows) -> tuple[SparseRows, Flags]:
    """Return the rows as learners want them, and which of them have values of modest size.

    Features ascend, those named twice are added up in the order of the file, and zeros are
    left out. The arrays are changed in place.
    """
    fine = np.empty(len(rows.starts) - 1, np.bool_)
    longest = int(np.diff(rows.starts).max(initial=0))
    end = _tidy(rows, fine, np.empty((2, longest), np.int64), np.empty(longest), LARGEST**2)
    return SparseRows(rows.starts, rows.indices[:end], rows.values[:end]), fine


def keep(rows: SparseRows, kept: Flags) -> SparseRows:
    """Return only the rows that are marked."""
    lengths = np.diff(rows.starts)
    entries = np.repeat(kept, lengths)
    starts = np.concatenate([[0], np.cumsum(lengths[kept])]).astype(np.int64)
    return SparseRows(starts, rows.indices[entries], rows.values[entries])


@entry
def _tidy(rows: SparseRows, fine: Flags, keys: Longs, held: Floats, largest: float) -> int:
    starts, indices, values = rows.starts, rows.indices, rows.values
    end, start = 0, starts[0]
    for i in range(fine.shape[0]):
        stop = starts[i + 1]
        starts[i] = end
        for n in range(start + 1, stop):
            if indices[n] < indices[n - 1]:
                sort_entries(indices[start:stop], values[start:stop], keys, held)
                break
        square = 0.0
        n = start
        while n < stop:
            index, value = indices[n], values[n]
            n += 1
            while n < stop and indices[n] == index:
                value += values[n]
                n += 1
            if value != 0.0:
                indices[end], values[end] = index, value
                square += value * value
                end += 1
        fine[i] = square <= largest
        start = stop
    starts[fine.shape[0]] = end
    return end


@kernel
def sort_entries(indices: Ints, values: Floats, keys: Longs, held: Floats) -> None:
    """Sort entries by index, equal ones as they came: runs of 16, then merged."""
    count = indices.shape[0]
    one, two = keys[0], keys[1]
    for n in range(count):
        # the place makes every key different, and finds the value again
        key = (np.int64(indices[n]) << 32) | n
        m = n
        while m & 15 != 0 and one[m - 1] > key:
            one[m] = one[m - 1]
            m -= 1
        one[m] = key
    width = 16
    while width < count:
        for first in range(0, count, 2 * width):
            middle, last = min(first + width, count), min(first + 2 * width, count)
            a, b = first, middle
            for n in range(first, last):
                if a < middle and (b >= last or one[a] < one[b]):
                    two[n] = one[a]
                    a += 1
                else:
                    two[n] = one[b]
                    b += 1
        one, two = two, one
        width *= 2
    held[:count] = values
    for n in range(count):
        indices[n] = one[n] >> 32
        values[n] = held[one[n] & 0xFFFFFFFF]
