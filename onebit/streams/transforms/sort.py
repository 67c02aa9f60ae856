"""Sort: all rows of one label, then all of the next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from onebit.errors import BadParameter
from onebit.kernel.block import BLOCK, Block, Single, concatenate_blocks
from onebit.streams import Stream, transform


@transform
class Sort(NamedTuple):
    """All rows of the first label, then all of the second, and so on; holds them in memory.

    Within a label the rows keep their order. A hard case for learners that do not explore: they
    can lock in on the first label.
    """

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the sorted stream."""
        if stream.length is None and not stream.ends:
            raise BadParameter("Sort: an endless stream cannot be sorted; put take before it.")

        def blocks() -> Iterator[Block]:
            rounds = concatenate_blocks(list(stream.blocks()))
            if not isinstance(rounds.truths, Single):
                raise BadParameter("Sort: every row must have one right label.")
            order = np.argsort(rounds.truths.labels, kind="stable")
            for first in range(0, len(order), BLOCK):
                yield rounds.pick(order[first : first + BLOCK])

        return stream._replace(blocks=blocks)
