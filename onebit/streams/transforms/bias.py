"""Bias: a feature that is the same in every row."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.block import Block
from onebit.kernel.rows import DenseRows, Floats, Ints, Rows, SparseRows, Starts
from onebit.kernel.sizes import Column
from onebit.kernel.verbs import entry
from onebit.naming.params import Real
from onebit.streams import Stream, transform
from onebit.streams.transforms import map_blocks, prepare_with


@transform
class Bias(NamedTuple):
    """One more feature, the last, with the same value in every row.

    How much it counts depends on the unit of the other features: a linear learner moves it as
    fast as any of them. Beside rows of norm 1 a tenth of that is a good value.

    In a stream of categorical columns it is a column of its own, with one value.
    """

    value: Annotated[float, Real("(0, 1e6]"), "value of the added feature"] = 1.0

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the stream of longer rows."""
        last = stream.features

        def with_bias(rows: Rows) -> Rows:
            return append_feature(rows, last, self.value)

        def change(block: Block, first: int) -> Block:
            return block._replace(rows=with_bias(block.rows))

        return stream._replace(
            features=last + 1,
            blocks=map_blocks(stream, change),
            prepare=prepare_with(stream, with_bias),
            columns=(*stream.columns, Column(last, 1, 1)) if stream.columns else (),
            encoder=None,
        )


def append_feature(rows: Rows, last: int, value: float) -> Rows:
    """Return the rows with one more entry: a value for the feature `last`."""
    if isinstance(rows, DenseRows):
        return DenseRows(np.column_stack([rows.values, np.full(len(rows.values), value)]))
    n = len(rows.starts) - 1
    longer = SparseRows(
        rows.starts + np.arange(n + 1),
        np.empty(len(rows.indices) + n, np.int32),
        np.empty(len(rows.indices) + n),
    )
    write_appended(*rows, last, value, longer.indices, longer.values)
    return longer


@entry
def write_appended(
    starts: Starts, indices: Ints, values: Floats, last: int, value: float,
    out_indices: Ints, out_values: Floats,
) -> None:  # fmt: skip
    """Write every row with one more entry."""
    at = 0
    for i in range(starts.shape[0] - 1):
        for n in range(starts[i], starts[i + 1]):
            out_indices[at], out_values[at] = indices[n], values[n]
            at += 1
        out_indices[at], out_values[at] = last, value
        at += 1
