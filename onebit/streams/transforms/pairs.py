"""Pairs: rows with the products of their features."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np

from onebit.errors import BadParameter, BadRow
from onebit.kernel.block import Block
from onebit.kernel.rng import key, uniform
from onebit.kernel.rows import Floats, Ints, Rows, SparseRows, Starts, as_sparse
from onebit.kernel.verbs import entry, kernel
from onebit.naming.params import Whole
from onebit.streams import Stream, transform
from onebit.streams.reading.row_cleanup import sort_entries, sorting_scratch
from onebit.streams.transforms import prepare_with

#: Entries of a block.
_ENTRIES = 2**20
#: Entries of a row.
_LONGEST_ROW = 2**24
#: The hash does not depend on the seed.
_KEY = key(0, "pairs")


@transform
class Pairs(NamedTuple):
    """The features, and after them the products of all pairs of different features.

    Lets a linear learner see which features come together. The pair i < j of d
    features is feature d + i(2d - i - 1)/2 + j - i - 1; where there are more than
    `size` pairs, they are hashed to `size` features, and products that meet are
    added. The rows become sparse, and lose their categorical columns.
    """

    size: Annotated[int, Whole(1), "most features for the pairs; beyond it they are hashed"] = 2**18

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the stream of longer rows."""
        d = stream.features
        pairs = d * (d - 1) // 2
        size = self.size if pairs > self.size else 0
        if d + (size or pairs) >= 2**31:
            raise BadParameter(f"Pairs: size must leave fewer than 2^31 features, got {self.size}.")

        def paired(rows: Rows) -> SparseRows:
            return with_pairs(as_sparse(rows), d, size)

        def blocks() -> Iterator[Block]:
            for block in stream.blocks():
                for part in split_block(block):
                    yield part._replace(rows=paired(part.rows))

        return stream._replace(
            features=d + (size or pairs),
            blocks=blocks,
            prepare=prepare_with(stream, paired),
            columns=(),
            encoder=None,
        )


def split_block(block: Block) -> Iterator[Block]:
    """Split a block so that the pairs of a part take little memory, except for long rows."""
    lengths = np.diff(as_sparse(block.rows).starts)
    sizes = lengths * (lengths + 1) // 2
    if len(sizes) and sizes.max() > _LONGEST_ROW:
        raise BadRow(
            f"Pairs: a row with its pairs must have at most {_LONGEST_ROW:,} entries, got"
            f" {sizes.max():,}."
        )
    ends = np.cumsum(sizes)
    first = 0
    while first < block.rounds:
        before = ends[first - 1] if first else 0
        stop = max(first + 1, int(np.searchsorted(ends, before + _ENTRIES, side="right")))
        yield block.pick(np.arange(first, stop))
        first = stop


def with_pairs(rows: SparseRows, d: int, size: int) -> SparseRows:
    """Return the rows of d features with their pairs, hashed to `size` features if not 0."""
    lengths = np.diff(rows.starts)
    most = int((lengths * (lengths + 1) // 2).sum())
    starts, indices, values = np.zeros_like(rows.starts), np.empty(most, np.int32), np.empty(most)
    longest = int((lengths * (lengths - 1) // 2).max(initial=0)) if size else 0
    sorting = Sorting(*sorting_scratch(longest))
    write_pairs(rows, d, size, starts, indices, values, sorting)
    return SparseRows(starts, indices[: starts[-1]], values[: starts[-1]])


class Sorting(NamedTuple):
    """Scratch arrays of `sort_entries`, for the longest row."""

    keys: Starts
    values: Floats


@kernel
def pair_number(i: int, j: int, d: int, size: int) -> int:
    """Return the number of the pair i < j among the pairs, hashed to `size` if not 0."""
    number = i * (2 * d - i - 1) // 2 + j - i - 1
    return int(uniform(_KEY, number) * size) if size > 0 else number


@entry
def write_pairs(
    rows: SparseRows, d: int, size: int, starts: Starts, indices: Ints, values: Floats,
    sorting: Sorting,
) -> None:  # fmt: skip
    """Write every row with its pairs, in ascending order."""
    end = 0
    for i in range(starts.shape[0] - 1):
        start, stop = rows.starts[i], rows.starts[i + 1]
        for n in range(start, stop):
            indices[end], values[end] = rows.indices[n], rows.values[n]
            end += 1
        first = end
        for n in range(start, stop):
            for m in range(n + 1, stop):
                pair = pair_number(int(rows.indices[n]), int(rows.indices[m]), d, size)
                indices[end], values[end] = d + pair, rows.values[n] * rows.values[m]
                end += 1
        if size > 0:
            end = merge_entries(indices, values, first, end, sorting)
        starts[i + 1] = end


@kernel
def merge_entries(indices: Ints, values: Floats, first: int, end: int, sorting: Sorting) -> int:
    """Sort entries first..end, add those of the same feature, and return the new end."""
    sort_entries(indices[first:end], values[first:end], sorting.keys, sorting.values)
    at = first - 1
    for n in range(first, end):
        if n > first and indices[n] == indices[at]:
            values[at] += values[n]
        else:
            at += 1
            indices[at], values[at] = indices[n], values[n]
    return at + 1
