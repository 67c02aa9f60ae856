"""SYNSEP: synthetic documents of nine topics, linearly separable."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from typing import Annotated, NamedTuple

import numpy as np

from onebit.block import BLOCK, Block, clear
from onebit.chance import key, uniform
from onebit.params import Real
from onebit.rows import Ints, SparseRows, Starts
from onebit.streams import Stream, stream
from onebit.verbs import entry, kernel

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
        topics, sizes = draw_topics(seed)
        rows_key = key(seed, "synsep rows")
        ones = np.ones(BLOCK * LONGEST)  # the values of all blocks

        def block(first: int, length: int) -> Block:
            starts = np.zeros(length + 1, np.int64)
            indices = np.empty(length * LONGEST, np.int32)
            truths = np.empty(length, np.int32)
            write(topics, sizes, self.noise, rows_key, first, starts, indices, truths)
            entries = int(starts[-1])
            return clear(SparseRows(starts, indices[:entries], ones[:entries]), truths)

        def blocks() -> Iterator[Block]:
            for number in itertools.count():
                yield block(number * BLOCK, BLOCK)

        return Stream(range(1, LABELS + 1), FEATURES, None, blocks, partial(block, 0, 0))


def draw_topics(seed: int) -> tuple[Ints, Ints]:
    """Return each topic's keywords in ascending order (one a row), and how many it has.

    With 6 keywords that the other lacks, for every ordered pair of topics, one
    is left after 5 are dropped, so weights of -1 on the keywords outside a
    topic separate the documents. Draws that fail this (rare) are drawn again.
    """
    for attempt in range(1000):
        source = key(seed, f"synsep topics {attempt}")
        topics, sizes = np.full((LABELS, MOST), -1, np.int32), np.zeros(LABELS, np.int32)
        for i in range(LABELS):
            at = i * (KEYWORDS + 1)
            sizes[i] = FEWEST + int(uniform(source, at) * (MOST - FEWEST + 1))
            words = sorted(range(KEYWORDS), key=lambda j, at=at: uniform(source, at + 1 + j))  # type: ignore[misc]
            topics[i, : sizes[i]] = sorted(words[: sizes[i]])
        if separable(topics, sizes):
            return topics, sizes
    raise AssertionError("no separable topics in 1000 draws")


def separable(topics: Ints, sizes: Ints) -> bool:
    """Say whether every topic has more than 5 keywords outside every other topic."""
    sets = [set(topics[i, : sizes[i]].tolist()) for i in range(len(sizes))]
    return all(len(a - b) > OFF for a in sets for b in sets if a is not b)


@kernel
def sample(size: int, key: int, at: int, marks: Starts, out: Starts) -> None:
    """Fill out with different numbers below size, in no order, and mark each of them.

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
def unmark(numbers: Starts, marks: Starts) -> None:
    """Take the marks away again."""
    for n in range(numbers.shape[0]):
        marks[numbers[n]] = 0


@entry
def write(
    topics: Ints, sizes: Ints, noise: float, key: int, first: int,
    starts: Starts, indices: Ints, truths: Ints,
) -> None:  # fmt: skip
    """Write the documents from number `first` on into the arrays of a block.

    Branches that chance decides are slow; there are hardly any. A keyword is
    always written, and the next one overwrites it if it is off. A common word
    goes where as many stand before it as are smaller.
    """
    marks = np.zeros(FEATURES, np.int64)
    off, common = np.empty(OFF, np.int64), np.empty(COMMON, np.int64)
    end = 0
    for i in range(truths.shape[0]):
        at = (first + i) * DRAWS
        topic = int(uniform(key, at) * LABELS)
        sample(sizes[topic], key, at + 3, marks, off)
        for n in range(sizes[topic]):
            indices[end] = topics[topic, n]
            end += 1 - marks[n]
        unmark(off, marks)
        sample(FEATURES - KEYWORDS, key, at + 3 + OFF, marks, common)
        for n in range(COMMON):
            before = 0
            for m in range(COMMON):
                before += common[m] < common[n]
            indices[end + before] = KEYWORDS + common[n]
        unmark(common, marks)
        end += COMMON
        starts[i + 1] = end
        truths[i] = topic
        if uniform(key, at + 1) < noise:
            other = int(uniform(key, at + 2) * (LABELS - 1))
            truths[i] = other + 1 if other >= topic else other
