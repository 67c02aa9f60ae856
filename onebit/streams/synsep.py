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
from onebit.rows import Floats, Ints, SparseRows
from onebit.streams import Stream, stream
from onebit.verbs import entry, kernel

LABELS, FEATURES = 9, 400
#: The first features are keywords of topics, the others are common words.
KEYWORDS = 120
#: A topic has 20 to 40 keywords; a document misses 5 of them and has 20 common words.
FEWEST, MOST, OFF, COMMON = 20, 40, 5, 20
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

        def block(first: int, length: int) -> Block:
            starts = np.zeros(length + 1, np.int64)
            indices = np.empty(length * (MOST - OFF + COMMON), np.int32)
            truths = np.empty(length, np.int32)
            write(topics, sizes, self.noise, rows_key, first, starts, indices, truths)
            entries = int(starts[-1])
            return clear(SparseRows(starts, indices[:entries], np.ones(entries)), truths)

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
def sample(low: int, size: int, count: int, key: int, at: int, out: Ints) -> None:
    """Put `count` different numbers from [low, low + size) into out, ascending.

    Floyd's method (Bentley and Floyd, CACM 1987), each number inserted in its place.
    """
    for n in range(count):
        top = size - count + n
        new = low + int(uniform(key, at + n) * (top + 1))
        for m in range(n):
            if out[m] == new:
                new = low + top
                break
        m = n
        while m > 0 and out[m - 1] > new:
            out[m] = out[m - 1]
            m -= 1
        out[m] = new


@entry
def write(
    topics: Ints, sizes: Ints, noise: float, key: int, first: int,
    starts: Floats, indices: Ints, truths: Ints,
) -> None:  # fmt: skip
    """Write the documents from number `first` on into the arrays of a block."""
    off = np.empty(OFF, np.int32)
    end = 0
    for i in range(truths.shape[0]):
        at = (first + i) * DRAWS
        topic = int(uniform(key, at) * LABELS)
        sample(0, sizes[topic], OFF, key, at + 3, off)
        skip = 0
        for n in range(sizes[topic]):
            if skip < OFF and off[skip] == n:
                skip += 1
            else:
                indices[end] = topics[topic, n]
                end += 1
        sample(KEYWORDS, FEATURES - KEYWORDS, COMMON, key, at + 3 + OFF, indices[end:])
        end += COMMON
        starts[i + 1] = end
        truths[i] = topic
        if uniform(key, at + 1) < noise:
            other = int(uniform(key, at + 2) * (LABELS - 1))
            truths[i] = other + 1 if other >= topic else other
