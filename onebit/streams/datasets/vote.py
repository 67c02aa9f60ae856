"""Vote: two labels, decided by the majority of a few of many features."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from typing import Annotated, NamedTuple

import numpy as np

from onebit.errors import BadParameter
from onebit.kernel.block import BLOCK, Block, noiseless_block
from onebit.kernel.rng import key, uniform
from onebit.kernel.rows import DenseRows, Floats, Ints
from onebit.kernel.verbs import entry
from onebit.naming.params import OneOf, Real, Whole
from onebit.streams import Stream, stream

FEATURES = 100
#: Values in a block, so that wide rows come in short blocks.
VALUES = 1_000_000


@stream(
    rows=None,
    labels=2,
    features=FEATURES,
    source="generated after Littlestone, Machine Learning 2, 1988",
    licence="none needed",
)
class Vote(NamedTuple):
    """Two labels, +1 and -1: the majority among a few of many features.

    Each value is +1 or -1 at random, and `voters` features, drawn by the seed, decide;
    with signed=yes about half of them count against what they say. Weights of
    absolute sum 1 on the voters have a margin of 1 / voters. With values=bits a
    value is 1 or 0 instead, and the last feature is always 1, so that weights can be
    set against it: the margin is 1 / (3 voters) or a little more.

    Reference: rows of many irrelevant features are Littlestone's, "Learning
    quickly when irrelevant attributes abound", Machine Learning 2 (1988).
    """

    width: Annotated[int, Whole(2, 100_000), "features of a row"] = FEATURES
    voters: Annotated[int, Whole(1), "how many features decide, an odd number"] = 3
    signed: Annotated[str, OneOf(("yes", "no")), "whether voters may count negatively"] = "yes"
    values: Annotated[str, OneOf(("signs", "bits")), "-1 and +1, or 0 and 1"] = "signs"
    noise: Annotated[float, Real("[0, 1)"), "share of labels turned around"] = 0.0

    def open(self, seed: int) -> Stream:
        """Draw who votes and return the stream of votes."""
        if self.voters % 2 == 0 or self.voters >= self.width:
            raise BadParameter(
                f"Vote: voters must be an odd number below width={self.width}, got {self.voters}."
            )
        weights = draw_weights(self, seed)
        rows_key = key(seed, "vote rows")
        length = max(1, min(BLOCK, VALUES // self.width))

        def block(first: int, length: int) -> Block:
            rows, truths = np.empty((length, self.width)), np.empty(length, np.int32)
            write_votes(weights, self.values == "bits", self.noise, rows_key, first, rows, truths)
            return noiseless_block(DenseRows(rows), truths)

        def blocks() -> Iterator[Block]:
            for number in itertools.count():
                yield block(number * length, length)

        return Stream([1, -1], self.width, None, blocks, partial(block, 0, 0))


def draw_weights(vote: Vote, seed: int) -> Floats:
    """Return a weight for each feature: +1 or -1 for voters, 0 for the others."""
    places, signs = key(seed, "vote places"), key(seed, "vote signs")
    weights = np.zeros(vote.width)
    for j in sorted(range(vote.width - 1), key=lambda j: uniform(places, j))[: vote.voters]:
        weights[j] = -1.0 if vote.signed == "yes" and uniform(signs, j) < 0.5 else 1.0
    return weights


@entry
def write_votes(
    weights: Floats, bits: bool, noise: float, key: int, first: int, rows: Floats, truths: Ints
) -> None:
    """Write the rows from number `first` on and their labels: 0 is +1, 1 is -1."""
    width = weights.shape[0]
    for i in range(truths.shape[0]):
        at = (first + i) * (width + 1)
        votes = 0.0
        for j in range(width):
            value = 1.0 if uniform(key, at + j) < 0.5 else -1.0
            votes += weights[j] * value
            rows[i, j] = (value + 1.0) / 2.0 if bits else value
        if bits:
            rows[i, width - 1] = 1.0
        truths[i] = 0 if votes > 0.0 else 1
        if uniform(key, at + width) < noise:
            truths[i] = 1 - truths[i]
