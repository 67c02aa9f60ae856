"""Collecting rows that are read one at a time into batches."""

from __future__ import annotations

import numpy as np

from onebit.kernel.block import BLOCK
from onebit.kernel.rows import Dense, Row, SparseRows
from onebit.streams.reading.batch import Batch

#: Most entries of a batch.
BATCH_ENTRIES = 500_000


class RowBatcher:
    """Rows, labels and line numbers of the next batch."""

    def __init__(self) -> None:
        self.lines: list[int] = []
        self._labels: list[str] = []
        self._indices: list[np.ndarray] = []
        self._values: list[np.ndarray] = []
        self._entries = 0

    def add(self, row: Row, label: str, line: int) -> bool:
        """Add a row; return whether the batch is full."""
        if isinstance(row, Dense):
            indices = np.flatnonzero(row.values).astype(np.int32)
            values = row.values[indices]
        else:
            indices, values = row.indices, row.values
        self.lines.append(line)
        self._labels.append(label)
        self._indices.append(indices)
        self._values.append(values)
        self._entries += len(indices)
        return len(self.lines) >= BLOCK or self._entries >= BATCH_ENTRIES

    def take_batch(self) -> Batch:
        """Return the batch, and start the next one."""
        lengths = [len(indices) for indices in self._indices]
        rows = SparseRows(
            np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            np.concatenate(self._indices).astype(np.int32, copy=False),
            np.concatenate(self._values).astype(np.float64, copy=False),
        )
        done = Batch(rows, self._labels, np.array(self.lines, np.int64))
        self.__init__()  # type: ignore[misc]
        return done
