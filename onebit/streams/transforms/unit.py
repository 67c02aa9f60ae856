"""Unit: rows of norm 1."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from onebit.kernel.block import Block
from onebit.kernel.rows import DenseRows, Floats, Rows, Starts
from onebit.kernel.verbs import entry
from onebit.streams import Stream, transform
from onebit.streams.transforms import map_blocks, prepare_with


@transform
class Unit(NamedTuple):
    """Every row divided by its Euclidean norm; a row of zeros stays as it is."""

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the stream of scaled rows."""

        def change(block: Block, first: int) -> Block:
            return block._replace(rows=scale_rows(block.rows))

        return stream._replace(
            blocks=map_blocks(stream, change), prepare=prepare_with(stream, scale_rows),
            scale=False, encoder=None,
        )  # fmt: skip


def scale_rows(rows: Rows) -> Rows:
    """Return the rows with norm 1."""
    values = np.empty_like(rows.values)
    if isinstance(rows, DenseRows):
        starts = np.arange(len(values) + 1) * values.shape[1]
        write_scaled(starts, rows.values.reshape(-1), values.reshape(-1))
        return DenseRows(values)
    write_scaled(rows.starts, rows.values, values)
    return rows._replace(values=values)


@entry
def write_scaled(starts: Starts, values: Floats, out: Floats) -> None:
    """Write the values of every row, divided by its norm."""
    for i in range(starts.shape[0] - 1):
        total = 0.0
        for n in range(starts[i], starts[i + 1]):
            total += values[n] * values[n]
        norm = math.sqrt(total) if total > 0.0 else 1.0
        for n in range(starts[i], starts[i + 1]):
            out[n] = values[n] / norm
