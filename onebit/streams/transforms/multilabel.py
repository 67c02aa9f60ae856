"""Multilabel: several labels may be right in a round, or none."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.block import Block, Multi, Single, Truths, is_right
from onebit.kernel.rng import key, uniform
from onebit.kernel.rows import Ints, Starts
from onebit.kernel.verbs import entry
from onebit.naming.params import Real
from onebit.streams import Stream, transform
from onebit.streams.transforms import map_blocks


@transform
class Multilabel(NamedTuple):
    """Rounds with more than one right label, or with none.

    In each round every other label is right as well with probability `extra`, and
    with probability `none` no label is. The bit says whether the played label is
    among the right ones; a round without any is always a mistake. Learners with
    full information hear the set.

    Reference: multilabel feedback, and rounds without a right label, as in Kakade,
    Shalev-Shwartz and Tewari, ICML 2008, Sections 1 and 6.
    """

    extra: Annotated[float, Real("[0, 1]"), "probability that another label is right too"] = 0.1
    none: Annotated[float, Real("[0, 1]"), "probability that no label is right"] = 0.0

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the stream with several truths."""
        source, labels = key(seed, f"multilabel {number}"), len(stream.labels)

        def change(block: Block, first: int) -> Block:
            starts = np.zeros(block.rounds + 1, np.int64)
            found = np.empty(block.rounds * labels, np.int32)
            write_right_labels(block.truths, self, source, first, starts, found)
            return block._replace(truths=Multi(starts, found[: starts[-1]]))

        def prepare() -> None:
            stream.prepare()
            nothing = Single(np.empty(0, np.int32))
            write_right_labels(
                nothing, self, source, 1, np.zeros(1, np.int64), np.empty(0, np.int32)
            )

        return stream._replace(blocks=map_blocks(stream, change), prepare=prepare)


@entry
def write_right_labels(
    truths: Truths, chances: Multilabel, key: int, first: int, starts: Starts, found: Ints
) -> None:
    """Write the right labels of rounds from number `first` on, ascending."""
    rounds = starts.shape[0] - 1
    labels = found.shape[0] // max(rounds, 1)
    end = 0
    for i in range(rounds):
        at = (first + i) * (labels + 1)
        if uniform(key, at + labels) >= chances.none:
            for k in range(labels):
                if is_right(truths, i, k) or uniform(key, at + k) < chances.extra:
                    found[end] = k
                    end += 1
        starts[i + 1] = end
