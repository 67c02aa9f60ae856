"""Noise: some labels are wrong."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.block import Block
from onebit.kernel.rng import key, uniforms
from onebit.kernel.rows import Ints
from onebit.naming.params import Real
from onebit.streams import Stream, transform
from onebit.streams.transforms import each_block, each_label


@transform
class Noise(NamedTuple):
    """Each label changed, with probability q, to another one, all others being equally likely.

    The changed label is what counts as right. Where a round has several right
    labels, all of them move together.
    """

    q: Annotated[float, Real("[0, 1]"), "probability of a change"] = 0.05

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the noisy stream."""
        source, k = key(seed, f"noise {number}"), len(stream.labels)

        def change(block: Block, first: int) -> Block:
            off = labels_off(source, first, block.rounds, self.q, k)
            return block._replace(truths=each_label(block.truths, lambda y, i: (y + off[i]) % k))

        return stream._replace(blocks=each_block(stream, change))


def labels_off(source: int, first: int, n: int, q: float, k: int) -> Ints:
    """Draw for n rounds by how many labels each is off: 0, or with probability q 1 to k - 1."""
    draws = uniforms(source, 2 * first, 2 * n).reshape(n, 2)
    off = 1 + (draws[:, 1] * (k - 1)).astype(np.int32)
    return np.where(draws[:, 0] < q, off, np.int32(0))
