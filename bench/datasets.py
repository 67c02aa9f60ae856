"""The rows that cases share, made before timing: one data set for each kind of row."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from onebit.kernel.block import Block, Single
from onebit.kernel.rows import DenseRows, SparseRows
from onebit.kernel.sizes import Sizes
from onebit.learners import LearnerTraits
from onebit.streams import Stream
from onebit.streams.datasets.synsep import FEATURES, LABELS
from onebit.streams.opening import open_stream

STREAM, SEED = "synsep", 0
SIZES = Sizes(FEATURES, LABELS)
#: Rounds in a block of a matrix.
SHORT = 1000


class Source(NamedTuple):
    """A stream, how many rounds of it, its transforms, and whether as dense matrices."""

    stream: str
    rounds: int
    transforms: tuple[str, ...] = ()
    matrix: bool = False


#: One of the features of `vote:voters=1` decides: one of its stumps is always right.
_ADVICE = ("advise:class=stumps",)
SOURCES = {
    "sparse": Source(STREAM, 100_000),
    "dense": Source(STREAM, 20_000, matrix=True),
    "two labels": Source("vote", 20_000),
    "few features": Source("plane:margin=0.5", 10_000),
    "advice": Source("vote:voters=1", 20_000, _ADVICE),
    "a tiny class": Source("vote:width=3,voters=1", 20_000, _ADVICE),
    "a small class": Source("vote:width=8,voters=1", 20_000, _ADVICE),
    "a large class": Source("vote:width=1000,voters=1", 2_000, _ADVICE),
    "connect4": Source("connect4", 67_557),
    "reuters4shape": Source("reuters4shape", 50_000),
}
#: The data sets by what a learner reads.
DATASETS_BY_ROW = {
    "features": ("sparse", "dense"),
    "nothing": ("sparse", "dense"),
    "few features": ("few features",),
    "advice": ("advice",),
}


class Dataset(NamedTuple):
    """Some rounds: a description, their sizes, and the blocks."""

    about: str
    sizes: Sizes
    blocks: list[Block]

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return sum(block.rounds for block in self.blocks)

    def head(self, n: int) -> Dataset:
        """Return the first n blocks."""
        return self._replace(blocks=self.blocks[:n])


def datasets_for(traits: LearnerTraits) -> tuple[str, ...]:
    """Return the names of the data sets that a learner can play."""
    if traits.labels == 2 and "advice" not in traits.row:
        return ("two labels",)
    return DATASETS_BY_ROW[traits.row]


@functools.cache
def dataset(name: str, most: int | None = None) -> Dataset:
    """Return a data set, cut after the block that contains round number `most`."""
    source = SOURCES[name]
    stream = open_stream(source.stream, SEED, source.transforms)
    blocks, rounds = [], 0
    for block in stream.blocks():
        blocks += _matrices(block, stream.features) if source.matrix else [block]
        rounds += block.rounds
        if rounds >= min(source.rounds, most or source.rounds):
            break
    sizes = Sizes(stream.features, len(stream.labels), stream.columns)
    return Dataset(_about(source, stream, blocks[0]), sizes, blocks)


def labels(block: Block) -> list[int]:
    """Return the right labels, numbered from 0."""
    assert isinstance(block.truths, Single)
    return block.truths.labels.tolist()


def nonzero_features(block: Block) -> list[list[int]]:
    """Return the indices of the nonzero features of each row; their values are 1."""
    rows = block.rows
    assert isinstance(rows, SparseRows)
    return [part.tolist() for part in np.split(rows.indices, rows.starts[1:-1])]


def _about(source: Source, stream: Stream, block: Block) -> str:
    kind, rows = "hypotheses" if stream.row == "advice" else "features", block.rows
    some = ""
    if isinstance(rows, SparseRows):
        some = f" ({rows.starts[-1] / block.rounds:.0f} not zero)"
    made = ", ".join([source.stream, *(text.partition("=")[2] for text in source.transforms)])
    return f"{made}: {stream.features:,} {kind}{some}, {len(stream.labels)} labels"


def _matrices(block: Block, features: int) -> Iterator[Block]:
    """Return the same rows as dense matrices, in shorter blocks since each row takes longer."""
    rows, truths = block.rows, block.truths
    assert isinstance(rows, SparseRows)
    assert isinstance(truths, Single)
    values: Any = np.zeros((block.rounds, features))
    values[np.repeat(np.arange(block.rounds), np.diff(rows.starts)), rows.indices] = rows.values
    for n in range(0, block.rounds, SHORT):
        part = slice(n, n + SHORT)
        yield Block(DenseRows(values[part]), Single(truths.labels[part]), block.signals[part])
