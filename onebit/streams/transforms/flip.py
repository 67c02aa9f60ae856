"""Flip: feedback that sometimes lies."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.block import Block
from onebit.kernel.rng import key
from onebit.naming.params import Real
from onebit.streams import Stream, transform
from onebit.streams.transforms import each_block
from onebit.streams.transforms.noise import labels_off


@transform
class Flip(NamedTuple):
    """The bit lies with probability q; mistakes are still counted by the true label.

    A learner that hears true labels hears another one instead. A lie told twice is
    the truth; what is lost stays lost.
    """

    q: Annotated[float, Real("[0, 1]"), "probability of a lie"] = 0.05

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the stream with its lies."""
        source, k = key(seed, f"flip {number}"), len(stream.labels)

        def change(block: Block, first: int) -> Block:
            lies = labels_off(source, first, block.rounds, self.q, k)
            told = np.where(block.signals == 0, lies, np.int32(0))
            kept = (lies == 0) | (block.signals < 0)
            return block._replace(signals=np.where(kept, block.signals, told))

        return stream._replace(blocks=each_block(stream, change))
