"""SYNSEP: synthetic documents of nine topics, linearly separable."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.block import BLOCK, Block, noiseless_block
from onebit.kernel.rng import key, uniform
from onebit.kernel.rows import Ints, SparseRows, Starts
from onebit.kernel.verbs import entry, kernel
from onebit.naming.params import Real
from onebit.streams import Stream, stream

LABELS, FEATURES = 9, 400
#: The first features are keywords of topics, the others are common words.
KEYWORDS = 120
#: A topic has 20 to 40 keywords; a document misses 5 of them and has 20 common words.
FEWEST, MOST, OFF, COMMON = 20, 40, 5, 20
#: The most words that a document may have.
LONGEST = MOST - OFF + COMMON
#: Draws of one row: its topic, the noise (two), the keywords off, the common words.
DRAWS = 3 + OFF + COMMON

SOURCE = "generated after Kakade, Shalev-Shwartz and Tewari, ICML 2008, Figure 1"


@stream(rows=None, labels=LABELS, features=FEATURES, source=SOURCE, licence="none needed")
class Synsep(NamedTuple):
    """Synthetic documents of nine topics over 400 words, separable by linear weights.

    Each topic owns 20 to 40 of the first 120 words, drawn at random. A document
    takes a topic, drops 5 of its keywords and adds 20 of the last 280 words.
    Endless and deterministic by seed; row n is the same however it is reached.

    Reference: Kakade, Shalev-Shwartz and Tewari, ICML 2008, Section 5 and Figure 1.
    """

    noise: Annotated[float, Real("[0, 1)"), "share of labels changed to another one"] = 0.0

    def open(self, seed: int) -> Stream:
        """Draw the topics and return the stream of their documents."""
        topics = draw_topics(seed)
        rows_key = key(seed, "synsep rows")
        ones = np.ones(BLOCK * LONGEST)  # the values of all blocks

        def block(first: int, length: int) -> Block:
            buffer = new_block_buffer(length)
            write_documents(topics, self.noise, rows_key, first, buffer)
            entries = int(buffer.starts[-1])
            rows = SparseRows(buffer.starts, buffer.indices[:entries], ones[:entries])
            return noiseless_block(rows, buffer.truths)

        def blocks() -> Iterator[Block]:
            for number in itertools.count():
                yield block(number * BLOCK, BLOCK)

        return Stream(range(1, LABELS + 1), FEATURES, None, blocks, partial(block, 0, 0))


class Topics(NamedTuple):
    """Each topic's keywords in ascending order (one topic a row), and how many it has."""

    words: Ints
    sizes: Ints


class BlockBuffer(NamedTuple):
    """The arrays of a block that is being written, and work arrays for drawing."""

    starts: Starts
    indices: Ints
    truths: Ints
    marks: Starts
    off: Starts
    common: Starts


def new_block_buffer(length: int) -> BlockBuffer:
    """Return arrays for `length` documents.

    They are allocated here because compiled code with allocations takes long to compile.
    """
    return BlockBuffer(
        np.zeros(length + 1, np.int64),
        np.empty(length * LONGEST, np.int32),
        np.empty(length, np.int32),
        np.zeros(FEATURES, np.int64),
        np.empty(OFF, np.int64),
        np.empty(COMMON, np.int64),
    )


def draw_topics(seed: int) -> Topics:
    """Draw the topics of a seed.

    With 6 keywords that the other lacks, for every ordered pair of topics, one
    is left after 5 are dropped, so weights of -1 on the keywords outside a
    topic separate the documents. Draws that fail this (rare) are drawn again.
    """
    for attempt in range(1000):
        source = key(seed, f"synsep topics {attempt}")
        topics = Topics(np.full((LABELS, MOST), -1, np.int32), np.zeros(LABELS, np.int32))
        for i in range(LABELS):
            at = i * (KEYWORDS + 1)
            topics.sizes[i] = FEWEST + int(uniform(source, at) * (MOST - FEWEST + 1))
            words = sorted(range(KEYWORDS), key=lambda j, at=at: uniform(source, at + 1 + j))  # type: ignore[misc]
            topics.words[i, : topics.sizes[i]] = sorted(words[: topics.sizes[i]])
        if separable(topics):
            return topics
    raise AssertionError("no separable topics in 1000 draws")


def separable(topics: Topics) -> bool:
    """Return whether every topic has more than 5 keywords outside every other topic."""
    sets = [set(words[:size].tolist()) for words, size in zip(*topics, strict=True)]
    return all(len(a - b) > OFF for a in sets for b in sets if a is not b)


@kernel
def sample(size: int, key: int, at: int, marks: Starts, out: Starts) -> None:
    """Fill `out` with different numbers below size, in any order, and mark each of them.

    Floyd's method (Bentley and Floyd, CACM 1987). A draw is a multiple of 2**-53, so
    that no number is preferred by more than size * 2**-53.
    """
    count = out.shape[0]
    for n in range(count):
        last = size - count + n
        new = int(uniform(key, at + n) * (last + 1))
        out[n] = last if marks[new] else new
        marks[out[n]] = 1


@kernel
def clear_marks(numbers: Starts, marks: Starts) -> None:
    """Clear the marks of these numbers."""
    for n in range(numbers.shape[0]):
        marks[numbers[n]] = 0


@entry
def write_documents(
    topics: Topics, noise: float, key: int, first: int, buffer: BlockBuffer
) -> None:
    """Write the documents from number `first` on into a buffer.

    Unpredictable branches are slow, so there are hardly any: a keyword is always written, and
    the next one overwrites it if it is dropped; a common word is written at its rank.
    """
    starts, indices, truths, marks, off, common = buffer
    end = 0
    for i in range(truths.shape[0]):
        at = (first + i) * DRAWS
        topic = int(uniform(key, at) * LABELS)
        size = topics.sizes[topic]
        sample(size, key, at + 3, marks, off)
        for n in range(size):
            indices[end] = topics.words[topic, n]
            end += 1 - marks[n]
        clear_marks(off, marks)
        sample(FEATURES - KEYWORDS, key, at + 3 + OFF, marks, common)
        for n in range(COMMON):
            before = 0
            for m in range(COMMON):
                before += common[m] < common[n]
            indices[end + before] = KEYWORDS + common[n]
        clear_marks(common, marks)
        end += COMMON
        starts[i + 1] = end
        truths[i] = topic
        if uniform(key, at + 1) < noise:
            other = int(uniform(key, at + 2) * (LABELS - 1))
            truths[i] = other + 1 if other >= topic else other
