"""The rows that cases share, made before the clock starts: one lesson for each kind of row."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from onebit.kernel.block import Block, Single
from onebit.kernel.rows import DenseRows, SparseRows
from onebit.kernel.state import Sizes
from onebit.learners import LearnerTraits
from onebit.streams import Stream
from onebit.streams.datasets.synsep import FEATURES, LABELS
from onebit.streams.opening import open_stream

STREAM, SEED = "synsep", 0
SIZES = Sizes(FEATURES, LABELS)
#: Rounds in a block of a matrix.
SHORT = 1000


class Source(NamedTuple):
    """Where rows come from: a stream, how many rounds of it, transforms, whether as a matrix."""

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
}
#: The sources for what a learner reads.
FOR = {
    "features": ("sparse", "dense"),
    "nothing": ("sparse", "dense"),
    "few features": ("few features",),
    "advice": ("advice",),
}


class Lesson(NamedTuple):
    """Some rounds: what they are in words, their sizes, and the blocks."""

    about: str
    sizes: Sizes
    blocks: list[Block]

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return sum(block.rounds for block in self.blocks)

    def head(self, n: int) -> Lesson:
        """Return the first n blocks."""
        return self._replace(blocks=self.blocks[:n])


def lessons_for(facts: LearnerTraits) -> tuple[str, ...]:
    """Return the names of the lessons that are fair for a learner."""
    if facts.labels == 2 and "advice" not in facts.row:
        return ("two labels",)
    return FOR[facts.row]


@functools.cache
def lesson(name: str, most: int | None = None) -> Lesson:
    """Return a lesson, cut after the block in which round number `most` is."""
    source = SOURCES[name]
    stream = open_stream(source.stream, SEED, source.transforms)
    blocks, rounds = [], 0
    for block in stream.blocks():
        blocks += _matrices(block, stream.features) if source.matrix else [block]
        rounds += block.rounds
        if rounds >= min(source.rounds, most or source.rounds):
            break
    sizes = Sizes(stream.features, len(stream.labels), stream.columns)
    return Lesson(_about(source, stream, blocks[0]), sizes, blocks)


def labels(block: Block) -> list[int]:
    """Return the right labels, numbered from 0."""
    assert isinstance(block.truths, Single)
    return block.truths.labels.tolist()


def words(block: Block) -> list[list[int]]:
    """Return the features that are not zero, for each row; all are 1."""
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
    """Return the same rows as matrices, in shorter blocks: each row takes five times longer."""
    rows, truths = block.rows, block.truths
    assert isinstance(rows, SparseRows)
    assert isinstance(truths, Single)
    values: Any = np.zeros((block.rounds, features))
    values[np.repeat(np.arange(block.rounds), np.diff(rows.starts)), rows.indices] = rows.values
    for n in range(0, block.rounds, SHORT):
        part = slice(n, n + SHORT)
        yield Block(DenseRows(values[part]), Single(truths.labels[part]), block.signals[part])
