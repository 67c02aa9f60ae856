"""REUTERS4SHAPE: generated rows with the size and sparsity of a large collection of news."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.block import BLOCK, Block, noiseless_block
from onebit.kernel.rng import draw, key, uniform
from onebit.kernel.rows import Floats, Ints, SparseRows, Starts
from onebit.kernel.verbs import entry, kernel
from onebit.naming.params import Real
from onebit.streams import Stream, stream

LABELS = ("CCAT", "ECAT", "GCAT", "MCAT")
ROWS, FEATURES = 673_768, 346_810
#: Shares of the four top topics among RCV1-v2 documents that have exactly one of them.
SHARES = np.array([0.4105, 0.0817, 0.2238, 0.2840])
#: Tokens of a document: log-normal, and no more than MOST.
MEDIAN, SPREAD, MOST = 73.0, 0.69, 1000
#: Words of a lower rank are common to all topics; the others come in groups of one a topic.
COMMON = 40
#: Share of a document's tokens that are of its topic: uniform between these two.
LEAST_TOPICAL, MOST_TOPICAL = 0.3, 0.9
#: The word of rank r is feature r * STEP mod FEATURES, so that frequent words lie scattered.
STEP = 214_341
BACK = pow(STEP, -1, FEATURES)
#: A word's weight grows with the logarithm of 1 + its rank / RARE.
RARE = 7.5
#: Numbers that a document may draw.
DRAWS = 2**14

SOURCE = "generated; the size and sparsity of REUTERS4, and nothing of its text"


@stream(rows=ROWS, labels=4, features=FEATURES, source=SOURCE, licence="none needed")
class Reuters4shape(NamedTuple):
    """Generated rows of the size and sparsity of REUTERS4, for speed and memory at scale.

    A document has a label, with the shares of the top topics of RCV1-v2, and about
    75 different words of 346,810, drawn by Zipf's law with exponent 1. Some of its
    tokens are moved to the word of its own topic among four words of nearly the
    same frequency. Rows are tf-idf-like and have norm 1; 2% of the labels are
    changed. It has no text of Reuters: results on it say nothing about REUTERS4.

    Tuned once, so that the full-information Perceptron ends between 4% and 12%: at
    8.2% (`onebit play reuters4shape perceptron`, seeds 0 to 2: 8.24, 8.15, 8.17).
    Deterministic by seed, in constant memory, about 7 us to make a row.

    Reference: the size is that of Kakade, Shalev-Shwartz and Tewari, ICML 2008, Section 5.
    """

    noise: Annotated[float, Real("[0, 1)"), "share of labels changed to another one"] = 0.02

    def open(self, seed: int) -> Stream:
        """Return the stream of documents."""
        rows_key, words_key = key(seed, "reuters4shape rows"), key(seed, "reuters4shape words")

        def block(first: int, length: int) -> Block:
            starts, truths = np.zeros(length + 1, np.int64), np.empty(length, np.int32)
            indices, values = np.empty(length * MOST, np.int32), np.empty(length * MOST)
            rows = SparseRows(starts, indices, values)
            scratch = tuple(np.empty(size, np.int64) for size in (MOST, MOST, 129))
            write_documents(SHARES, self.noise, rows_key, words_key, first, rows, truths, scratch)
            end = int(starts[-1])
            return noiseless_block(
                SparseRows(starts, indices[:end].copy(), values[:end].copy()), truths
            )

        def blocks() -> Iterator[Block]:
            for first in range(0, ROWS, BLOCK):
                yield block(first, min(BLOCK, ROWS - first))

        return Stream(LABELS, FEATURES, ROWS, blocks, partial(block, 0, 0))


@kernel
def draw_word(key: int, at: int, out: Starts) -> int:
    """Draw a word with probability proportional to 1 / (1 + rank), and write its rank to out[0].

    With r = 1 + rank, it is drawn by inversion from the law ln(1 + 1/r) and kept with
    probability ln 2 / (r ln(1 + 1/r)). Returns how many numbers were drawn.
    """
    drawn = 0
    while True:
        r = int(math.exp(uniform(key, at + drawn) * math.log(FEATURES + 1.0)))
        u = uniform(key, at + drawn + 1)
        drawn += 2
        # r ln(1 + 1/r) is below 1: most draws need no logarithm
        if u < math.log(2.0) or u * r * math.log1p(1.0 / r) < math.log(2.0):
            out[0] = min(r, FEATURES) - 1
            return drawn


@kernel
def topic_word(rank: int, topic: int, words_key: int) -> int:
    """Return the rank of the word of a topic in the group of four that a rank belongs to."""
    if rank < COMMON:
        return rank
    group = rank // 4
    own = group * 4 + (topic + int(uniform(words_key, group) * 4.0)) % 4
    return own if own < FEATURES else rank


@kernel
def draw_tokens(topic: int, key: int, at: int, words_key: int, out: Starts) -> int:
    """Write the features of a document's tokens into out; return how many."""
    # Box and Muller's normal deviate, for a log-normal length
    normal = math.sqrt(-2.0 * math.log(1.0 - uniform(key, at))) * math.cos(
        2.0 * math.pi * uniform(key, at + 1)
    )
    length = min(MOST, max(1, int(MEDIAN * math.exp(SPREAD * normal))))
    topical = LEAST_TOPICAL + uniform(key, at + 2) * (MOST_TOPICAL - LEAST_TOPICAL)
    at += 3
    for n in range(length):
        at += draw_word(key, at, out[n:])
        if uniform(key, at) < topical:
            out[n] = topic_word(out[n], topic, words_key)
        out[n] = out[n] * STEP % FEATURES
        at += 1
    return length


@kernel
def sort_features(found: Starts, work: Starts, heads: Starts) -> None:
    """Sort features, which are spread evenly: into buckets, then by insertion."""
    buckets = heads.shape[0] - 1
    heads[:] = 0
    for n in range(found.shape[0]):
        heads[found[n] * buckets // FEATURES + 1] += 1
    for bucket in range(buckets):
        heads[bucket + 1] += heads[bucket]
    for n in range(found.shape[0]):
        bucket = found[n] * buckets // FEATURES
        work[heads[bucket]] = found[n]
        heads[bucket] += 1
    for n in range(found.shape[0]):
        m = n
        while m > 0 and found[m - 1] > work[n]:
            found[m] = found[m - 1]
            m -= 1
        found[m] = work[n]


@kernel
def write_row(found: Starts, indices: Ints, values: Floats) -> int:
    """Write the sorted features as a row of norm 1, with weights by count and rarity."""
    end, n, total = 0, 0, 0.0
    while n < found.shape[0]:
        count = 1
        while n + count < found.shape[0] and found[n + count] == found[n]:
            count += 1
        rank = found[n] * BACK % FEATURES
        weight = math.log(1.0 + (rank + 1.0) / RARE)
        if count > 1:
            weight *= 1.0 + math.log(count)
        indices[end], values[end] = found[n], weight
        total += weight * weight
        end += 1
        n += count
    norm = math.sqrt(total)
    for n in range(end):
        values[n] /= norm
    return end


@entry
def write_documents(
    shares: Floats, noise: float, key: int, words_key: int, first: int,
    rows: SparseRows, truths: Ints, scratch: tuple[Starts, Starts, Starts],
) -> None:  # fmt: skip
    """Write the documents from number `first` on into the arrays of a block."""
    found, work, heads = scratch
    end = 0
    for i in range(truths.shape[0]):
        at = (first + i) * DRAWS
        topic = draw(shares, uniform(key, at))
        length = draw_tokens(topic, key, at + 3, words_key, found)
        sort_features(found[:length], work, heads)
        end += write_row(found[:length], rows.indices[end:], rows.values[end:])
        rows.starts[i + 1] = end
        truths[i] = topic
        if uniform(key, at + 1) < noise:
            truths[i] = (topic + 1 + int(uniform(key, at + 2) * 3.0)) % 4
