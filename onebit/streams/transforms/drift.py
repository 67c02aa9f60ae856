"""Drift: labels that change their meaning."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.kernel.block import Block
from onebit.kernel.rng import key, uniform
from onebit.kernel.rows import Ints
from onebit.streams import Stream, transform
from onebit.streams.transforms import map_blocks, map_labels


class Rounds(NamedTuple):
    """Ascending round numbers, joined by +: 1000+5000."""

    def read(self, value: Any) -> str:
        """Return the rounds as text."""
        rounds = [int(part) for part in str(value).split("+")]
        if rounds[0] < 1 or sorted(set(rounds)) != rounds:
            raise ValueError
        return "+".join(map(str, rounds))

    def __str__(self) -> str:
        return "ascending round numbers from 1 on, joined by + such as 1000+5000"


@transform
class Drift(NamedTuple):
    """From each given round on, every label means what another one meant before.

    The labels are permuted in one cycle, drawn at random, so that none keeps its meaning.
    """

    at: Annotated[str, Rounds(), "rounds from which on the labels are permuted"] = "1000"

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the drifting stream."""
        rounds = [int(part) for part in self.at.split("+")]
        meanings = label_meanings(key(seed, f"drift {number}"), len(rounds), len(stream.labels))

        def change(block: Block, first: int) -> Block:
            era = np.searchsorted(rounds, np.arange(first, first + block.rounds), side="right")
            return block._replace(truths=map_labels(block.truths, lambda y, i: meanings[era[i], y]))

        return stream._replace(blocks=map_blocks(stream, change))


def label_meanings(source: int, changes: int, k: int) -> Ints:
    """Return which label each of k labels has become, before and after every change.

    Sattolo's method draws a permutation that is one cycle.
    """
    meanings = np.empty((changes + 1, k), np.int32)
    meanings[0] = np.arange(k)
    for change in range(changes):
        cycle = list(range(k))
        for n in range(k - 1, 0, -1):
            m = int(uniform(source, change * k + n) * n)
            cycle[n], cycle[m] = cycle[m], cycle[n]
        meanings[change + 1] = np.array(cycle, np.int32)[meanings[change]]
    return meanings
