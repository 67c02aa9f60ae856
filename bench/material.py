"""The rows that all cases share: SYNSEP under seed 0, made before the clock starts."""

from __future__ import annotations

import functools
import itertools

import numpy as np

from onebit.block import Block, Single
from onebit.rows import DenseRows, SparseRows
from onebit.state import Sizes
from onebit.streams import open_stream
from onebit.streams.synsep import FEATURES, LABELS

STREAM, SEED = "synsep", 0
SIZES = Sizes(FEATURES, LABELS)
#: Rounds in a block of dense rows.
SHORT = 1000


@functools.cache
def sparse(blocks: int) -> list[Block]:
    """Return the first blocks of the stream."""
    return list(itertools.islice(open_stream(STREAM, SEED).blocks(), blocks))


@functools.cache
def dense(blocks: int) -> list[Block]:
    """Return the same rows as matrices, in shorter blocks: each row takes five times longer."""
    return [
        Block(DenseRows(rows[n : n + SHORT]), Single(truths[n : n + SHORT]), signals[n : n + SHORT])
        for rows, truths, signals in map(_matrix, sparse(blocks))
        for n in range(0, len(rows), SHORT)
    ]


def labels(block: Block) -> list[int]:
    """Return the right labels, numbered from 0."""
    assert isinstance(block.truths, Single)
    return block.truths.labels.tolist()


def words(block: Block) -> list[list[int]]:
    """Return the features that are not zero, for each row; all are 1."""
    rows = block.rows
    assert isinstance(rows, SparseRows)
    return [part.tolist() for part in np.split(rows.indices, rows.starts[1:-1])]


def _matrix(block: Block) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows, truths = block.rows, block.truths
    assert isinstance(rows, SparseRows)
    assert isinstance(truths, Single)
    values = np.zeros((block.rounds, FEATURES))
    values[np.repeat(np.arange(block.rounds), np.diff(rows.starts)), rows.indices] = rows.values
    return values, truths.labels, block.signals
