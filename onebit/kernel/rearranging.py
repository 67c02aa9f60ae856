"""Selecting, reordering and concatenating rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from onebit.kernel.rows import DenseRows, Rows, SparseRows, Starts


def first_rows(rows: Rows, n: int) -> Rows:
    """Return the first n rows."""
    if isinstance(rows, DenseRows):
        return DenseRows(rows.values[:n])
    stop = rows.starts[n]
    return SparseRows(rows.starts[: n + 1], rows.indices[:stop], rows.values[:stop])


def take_rows(rows: Rows, order: Starts) -> Rows:
    """Return copies of the rows with these numbers, in this order."""
    if isinstance(rows, DenseRows):
        return DenseRows(rows.values[order])
    starts, entries = concatenate_runs(rows.starts, order)
    return SparseRows(starts, rows.indices[entries], rows.values[entries])


def concatenate_runs(starts: Starts, order: Starts) -> tuple[Starts, Starts]:
    """Return the starts of some runs laid end to end, and the old place of each entry."""
    firsts = starts[order]
    lengths = starts[order + 1] - firsts
    new = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
    return new, np.arange(new[-1]) + np.repeat(firsts - new[:-1], lengths)


def concatenate_rows(parts: Sequence[Rows]) -> Rows:
    """Return the rows of all parts, which are all dense or all sparse."""
    if isinstance(parts[0], DenseRows):
        return DenseRows(np.concatenate([part.values for part in parts]))
    sparse = [part for part in parts if isinstance(part, SparseRows)]
    return SparseRows(
        concatenate_starts([part.starts for part in sparse]),
        np.concatenate([part.indices for part in sparse]),
        np.concatenate([part.values for part in sparse]),
    )


def concatenate_starts(parts: Sequence[Starts]) -> Starts:
    """Return where rows start in the concatenation of several parts."""
    lengths = np.concatenate([np.diff(part) for part in parts])
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
