"""Transforms: what can be done to a stream on its way to a learner, one file each.

A transform is a NamedTuple of declared parameters with a method
`apply(stream, seed, number)`, where `number` is its place among the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from onebit.kernel.block import Block, Single, Truths
from onebit.kernel.rows import Ints, SparseRows
from onebit.streams import Stream
from onebit.streams.reading.batch import no_rows


def each_block(
    stream: Stream, change: Callable[[Block, int], Block]
) -> Callable[[], Iterator[Block]]:
    """Return the blocks of a stream, changed; `change` hears the number of the first round."""

    def blocks() -> Iterator[Block]:
        first = 1
        for block in stream.blocks():
            yield change(block, first)
            first += block.rounds

    return blocks


def each_label(truths: Truths, change: Callable[[Ints, Ints], Ints]) -> Truths:
    """Return truths with changed labels; `change` hears them and which round each is of."""
    if isinstance(truths, Single):
        return Single(change(truths.labels, np.arange(len(truths.labels), dtype=np.int32)))
    lengths = np.diff(truths.starts)
    rounds = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    return truths._replace(labels=change(truths.labels, rounds))


def prepared(stream: Stream, kernel: Callable[[SparseRows], object]) -> Callable[[], None]:
    """Return what compiles a stream and a kernel that changes its rows."""

    def prepare() -> None:
        stream.prepare()
        kernel(no_rows(0))

    return prepare
