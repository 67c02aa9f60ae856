"""Noise: some labels are wrong."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.block import Block
from onebit.kernel.rng import key, uniforms
from onebit.kernel.rows import Ints
from onebit.naming.params import Real
from onebit.streams import Stream, transform
from onebit.streams.transforms import map_blocks, map_labels


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
            shifts = label_shifts(source, first, block.rounds, self.q, k)
            return block._replace(truths=map_labels(block.truths, lambda y, i: (y + shifts[i]) % k))

        return stream._replace(blocks=map_blocks(stream, change))


def label_shifts(source: int, first: int, n: int, q: float, k: int) -> Ints:
    """Draw by how many labels each of n rounds is shifted: 0, or with probability q 1 to k - 1."""
    draws = uniforms(source, 2 * first, 2 * n).reshape(n, 2)
    shifts = 1 + (draws[:, 1] * (k - 1)).astype(np.int32)
    return np.where(draws[:, 0] < q, shifts, np.int32(0))
