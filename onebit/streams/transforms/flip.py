"""Flip: feedback that is sometimes false."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.block import Block
from onebit.kernel.rng import key
from onebit.naming.params import Real
from onebit.streams import Stream, transform
from onebit.streams.transforms import map_blocks
from onebit.streams.transforms.noise import label_shifts


@transform
class Flip(NamedTuple):
    """The bit is wrong with probability q; mistakes are still counted by the true label.

    A learner that hears true labels hears another one instead. Two flips of the same
    round cancel; feedback that is lost stays lost.
    """

    q: Annotated[float, Real("[0, 1]"), "probability of a wrong bit"] = 0.05

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the stream with false feedback."""
        source, k = key(seed, f"flip {number}"), len(stream.labels)

        def change(block: Block, first: int) -> Block:
            lies = label_shifts(source, first, block.rounds, self.q, k)
            flipped = np.where(block.signals == 0, lies, np.int32(0))
            kept = (lies == 0) | (block.signals < 0)
            return block._replace(signals=np.where(kept, block.signals, flipped))

        return stream._replace(blocks=map_blocks(stream, change))
