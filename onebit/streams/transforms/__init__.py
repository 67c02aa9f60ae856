"""Transforms: changes to a stream before a learner sees it, one file each.

A transform is a NamedTuple of declared parameters with a method
`apply(stream, seed, number)`, where `number` is its position among the transforms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from onebit.kernel.block import Block, Single, Truths
from onebit.kernel.rows import Ints, SparseRows
from onebit.streams import Stream
from onebit.streams.reading.batch import empty_rows


def map_blocks(
    stream: Stream, change: Callable[[Block, int], Block]
) -> Callable[[], Iterator[Block]]:
    """Return the blocks of a stream after `change(block, number of its first round)`."""

    def blocks() -> Iterator[Block]:
        first = 1
        for block in stream.blocks():
            yield change(block, first)
            first += block.rounds

    return blocks


def map_labels(truths: Truths, change: Callable[[Ints, Ints], Ints]) -> Truths:
    """Return truths after `change(labels, round of each label)`."""
    if isinstance(truths, Single):
        return Single(change(truths.labels, np.arange(len(truths.labels), dtype=np.int32)))
    lengths = np.diff(truths.starts)
    rounds = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    return truths._replace(labels=change(truths.labels, rounds))


def prepare_with(stream: Stream, kernel: Callable[[SparseRows], object]) -> Callable[[], None]:
    """Return a `prepare` that compiles the stream and a kernel that takes its rows."""

    def prepare() -> None:
        stream.prepare()
        kernel(empty_rows(0))

    return prepare
