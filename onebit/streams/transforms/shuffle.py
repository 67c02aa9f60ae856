"""Shuffle: the rows of a finite stream in random order."""

from __future__ import annotations

from typing import NamedTuple

from onebit.block import Block, join
from onebit.chance import key
from onebit.params import BadInput
from onebit.streams import Stream, ordered, transform


@transform
class Shuffle(NamedTuple):
    """The rows of a finite stream in an order that the seed decides; holds all of them in memory.

    The built-in finite streams are shuffled by themselves (`order=shuffled`), by
    a chance of their own; files are not.
    """

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the shuffled stream."""
        if stream.length is None:
            raise BadInput("Shuffle: an endless stream cannot be shuffled; put take before it.")

        def whole() -> Block:
            return join(list(stream.blocks()))

        return stream._replace(blocks=ordered(whole, "shuffled", key(seed, f"shuffle {number}")))
