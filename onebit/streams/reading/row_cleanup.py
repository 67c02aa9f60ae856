"""Turning parsed rows into rows for kernels: sorted, added up, checked for large values."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from onebit.kernel.features import LARGEST
from onebit.kernel.rows import Floats, Ints, SparseRows
from onebit.kernel.verbs import entry, kernel
from onebit.streams.reading.row_buffer import Int64s

Flags = npt.NDArray[np.bool_]

#: Rows of so few entries are sorted by insertion; the others by digits of so many values.
_FEW, _DIGITS = 20, 64


def normalize_rows(rows: SparseRows) -> tuple[SparseRows, Flags, tuple[int, int]]:
    """Return rows in the form that kernels need, and which of them have a norm of at most 1e100.

    Features ascend, values of the same feature are added in the order of the file, and zeros
    are left out. They are in new arrays; the given ones are changed. Beside them: the lowest and
    the highest feature that is written, also if its value is 0; 1 and 0 if there is none.
    """
    starts, entries = rows.starts, len(rows.indices)
    valid = np.empty(len(starts) - 1, np.bool_)
    longest = int(np.diff(starts).max(initial=0))
    out = SparseRows(np.empty_like(starts), np.empty(entries, np.int32), np.empty(entries))
    span = np.array([1, 0], np.int64)
    end = _normalize(rows, out, valid, span, *sorting_scratch(longest), LARGEST**2)
    low, high = span.tolist()
    return SparseRows(out.starts, out.indices[:end], out.values[:end]), valid, (low, high)


def sorting_scratch(longest: int) -> tuple[Int64s, Floats]:
    """Return the scratch arrays of `sort_entries` for at most so many entries."""
    return np.empty((3, max(longest, _DIGITS)), np.int64), np.empty(longest)


def select_rows(rows: SparseRows, selected: Flags) -> SparseRows:
    """Return the rows for which `selected` is true."""
    lengths = np.diff(rows.starts)
    entries = np.repeat(selected, lengths)
    starts = np.concatenate([[0], np.cumsum(lengths[selected])]).astype(np.int64)
    return SparseRows(starts, rows.indices[entries], rows.values[entries])


@entry
def _normalize(
    rows: SparseRows, out: SparseRows, valid: Flags, span: Int64s, keys: Int64s, copy: Floats,
    largest_square: float,
) -> int:  # fmt: skip
    starts, indices, values = rows.starts, rows.indices, rows.values
    end, low, high = 0, span[0], span[1]
    for i in range(valid.shape[0]):
        start, stop = starts[i], starts[i + 1]
        out.starts[i] = end
        for n in range(start + 1, stop):
            if indices[n] < indices[n - 1]:
                sort_entries(indices[start:stop], values[start:stop], keys, copy)
                break
        if stop > start:
            low, high = min(low, indices[start]), max(high, indices[stop - 1])
        square = 0.0
        n = start
        while n < stop:
            index, value = indices[n], values[n]
            n += 1
            while n < stop and indices[n] == index:
                value += values[n]
                n += 1
            if value != 0.0:
                out.indices[end], out.values[end] = index, value
                square += value * value
                end += 1
        valid[i] = square <= largest_square
    out.starts[valid.shape[0]] = end
    span[0], span[1] = low, high
    return end


@kernel
def sort_entries(indices: Ints, values: Floats, keys: Int64s, copy: Floats) -> None:
    """Sort entries by index, stably: few by insertion, many by their bits, six at a time.

    `keys` and `copy` are those of `sorting_scratch`.
    """
    count = indices.shape[0]
    one, two, places = keys[0], keys[1], keys[2]
    highest = 0
    for n in range(count):
        # the position in the low bits makes keys unique, and finds the value again
        one[n] = (np.int64(indices[n]) << 32) | n
        highest |= indices[n]
        copy[n] = values[n]
    if count <= _FEW:
        for n in range(1, count):
            key, m = one[n], n
            while m > 0 and one[m - 1] > key:
                one[m] = one[m - 1]
                m -= 1
            one[m] = key
    else:
        shift = 32
        while highest > 0:
            for digit in range(_DIGITS):
                places[digit] = 0
            for n in range(count):
                places[(one[n] >> shift) & (_DIGITS - 1)] += 1
            first = 0
            for digit in range(_DIGITS):
                first, places[digit] = first + places[digit], first
            for n in range(count):
                digit = (one[n] >> shift) & (_DIGITS - 1)
                two[places[digit]] = one[n]
                places[digit] += 1
            one, two = two, one
            shift += 6
            highest >>= 6
    for n in range(count):
        indices[n] = one[n] >> 32
        values[n] = copy[one[n] & 0xFFFFFFFF]
