"""Drop: feedback that is sometimes lost."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.block import LOST, Block
from onebit.kernel.rng import key, uniforms
from onebit.naming.params import Real
from onebit.streams import Stream, transform
from onebit.streams.transforms import map_blocks


@transform
class Drop(NamedTuple):
    """The feedback is lost with probability q: the learner learns nothing from that round."""

    q: Annotated[float, Real("[0, 1]"), "probability of a loss"] = 0.05

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the stream with lost feedback."""
        source = key(seed, f"drop {number}")

        def change(block: Block, first: int) -> Block:
            lost = uniforms(source, first, block.rounds) < self.q
            return block._replace(signals=np.where(lost, np.int32(LOST), block.signals))

        return stream._replace(blocks=map_blocks(stream, change))
