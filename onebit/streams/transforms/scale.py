"""Scale: numeric columns centred and divided by their deviation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from onebit.errors import BadInput
from onebit.kernel.block import Block
from onebit.kernel.rows import DenseRows, Rows, SparseRows, copy_values, row
from onebit.kernel.scaling import (
    Scaling,
    add_row,
    begin_scaling,
    numeric_features,
    scaled,
    scaled_sizes,
)
from onebit.kernel.sizes import NUMERIC, Column, Sizes
from onebit.kernel.verbs import entry
from onebit.streams import Stream, transform
from onebit.streams.reading.batch import empty_rows

#: Streams without declared columns are scaled if they have at most this many features.
MOST_FEATURES = 4096


@transform
class Scale(NamedTuple):
    """Numbers centred and divided by their deviation, from the rows before and this one.

    Numeric columns are scaled, or all features of a stream that declares no columns and has at
    most 4,096 features. Scaled numbers are clipped to 3. A last feature is added that is the same
    in every row, and all values are divided by the square root of the number of numeric columns,
    so that the norm of a row does not grow with them. Tables in files are scaled so for every
    learner that does not scale rows itself, unless they are given with scale=no.
    """

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the stream of scaled rows."""
        sizes = Sizes(stream.features, len(stream.labels), stream.columns)
        if not stream.columns and stream.features <= MOST_FEATURES:
            sizes = sizes._replace(columns=[Column(j, 1, NUMERIC) for j in range(sizes.features)])
        if not numeric_features(sizes):
            raise BadInput(
                f"Scale: a stream must have numeric columns, or no columns and at most"
                f" {MOST_FEATURES:,} features, got {stream.features:,} features and"
                f" {len(stream.columns):,} columns, none of them numeric."
            )

        def blocks() -> Iterator[Block]:
            scaling = begin_scaling(sizes)
            for block in stream.blocks():
                yield block._replace(rows=scale_rows(scaling, block.rows))

        def prepare() -> None:
            stream.prepare()
            scale_rows(begin_scaling(sizes), empty_rows(0))

        larger = scaled_sizes(sizes)
        return stream._replace(
            features=larger.features, blocks=blocks, prepare=prepare, columns=larger.columns,
            scale=False, encoder=None,
        )  # fmt: skip


def scale_rows(scaling: Scaling, rows: Rows) -> Rows:
    """Return scaled rows, and add each to the means and deviations after it was scaled."""
    if isinstance(rows, DenseRows):
        dense = DenseRows(np.empty((len(rows.values), len(scaling.dense))))
        write_dense(scaling, rows, dense)
        return dense
    count = len(rows.starts) - 1
    most = len(rows.indices) + count * (len(scaling.places) + 1)
    out = SparseRows(np.zeros(count + 1, np.int64), np.empty(most, np.int32), np.empty(most))
    write_sparse(scaling, rows, out)
    end = out.starts[-1]
    return SparseRows(out.starts, out.indices[:end], out.values[:end])


@entry
def write_dense(scaling: Scaling, rows: DenseRows, out: DenseRows) -> None:
    """Write every row, scaled."""
    for i in range(out.values.shape[0]):
        x = row(rows, i)
        copy_values(scaled(x, scaling).values, out.values[i])
        add_row(scaling, x)


@entry
def write_sparse(scaling: Scaling, rows: SparseRows, out: SparseRows) -> None:
    """Write every row, scaled, one after another."""
    for i in range(out.starts.shape[0] - 1):
        x = row(rows, i)
        made = scaled(x, scaling)
        start = out.starts[i]
        stop = start + made.indices.shape[0]
        copy_values(made.indices, out.indices[start:stop])
        copy_values(made.values, out.values[start:stop])
        out.starts[i + 1] = stop
        add_row(scaling, x)
