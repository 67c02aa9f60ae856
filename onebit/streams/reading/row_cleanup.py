"""Turning parsed rows into rows for kernels: sorted, added up, checked for large values."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from onebit.kernel.features import LARGEST
from onebit.kernel.rows import Floats, Ints, SparseRows
from onebit.kernel.verbs import entry, kernel
from onebit.streams.reading.row_buffer import Int64s

Flags = npt.NDArray[np.bool_]


def normalize_rows(rows: SparseRows) -> tuple[SparseRows, Flags]:
    """Return rows in the form that kernels need, and which of them have a norm of at most 1e100.

    Features ascend, values of the same feature are added in the order of the file, and zeros
    are left out. The arrays are changed in place.
    """
    valid = np.empty(len(rows.starts) - 1, np.bool_)
    longest = int(np.diff(rows.starts).max(initial=0))
    end = _normalize(rows, valid, np.empty((2, longest), np.int64), np.empty(longest), LARGEST**2)
    return SparseRows(rows.starts, rows.indices[:end], rows.values[:end]), valid


def select_rows(rows: SparseRows, selected: Flags) -> SparseRows:
    """Return the rows for which `selected` is true."""
    lengths = np.diff(rows.starts)
    entries = np.repeat(selected, lengths)
    starts = np.concatenate([[0], np.cumsum(lengths[selected])]).astype(np.int64)
    return SparseRows(starts, rows.indices[entries], rows.values[entries])


@entry
def _normalize(
    rows: SparseRows, valid: Flags, keys: Int64s, copy: Floats, largest_square: float
) -> int:
    starts, indices, values = rows.starts, rows.indices, rows.values
    end, start = 0, starts[0]
    for i in range(valid.shape[0]):
        stop = starts[i + 1]
        starts[i] = end
        for n in range(start + 1, stop):
            if indices[n] < indices[n - 1]:
                sort_entries(indices[start:stop], values[start:stop], keys, copy)
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
        valid[i] = square <= largest_square
        start = stop
    starts[valid.shape[0]] = end
    return end


@kernel
def sort_entries(indices: Ints, values: Floats, keys: Int64s, copy: Floats) -> None:
    """Sort entries by index, stably: runs of 16 by insertion, then merged."""
    count = indices.shape[0]
    one, two = keys[0], keys[1]
    for n in range(count):
        # the position in the low bits makes keys unique, and finds the value again
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
    for n in range(count):
        copy[n] = values[n]
    for n in range(count):
        indices[n] = one[n] >> 32
        values[n] = copy[one[n] & 0xFFFFFFFF]
