"""Take: the first rows of a stream."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from onebit.kernel.block import Block
from onebit.naming.params import Whole
from onebit.streams import Stream, transform


@transform
class Take(NamedTuple):
    """The first n rows of a stream."""

    n: Annotated[int, Whole(1), "how many rows to take"] = 10_000

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the shorter stream."""
        length = self.n if stream.length is None else min(self.n, stream.length)
        unknown = stream.length is None and stream.ends

        def blocks() -> Iterator[Block]:
            left = length
            for block in stream.blocks():
                if block.rounds >= left:
                    yield block.head(left)
                    return
                left -= block.rounds
                yield block

        return stream._replace(length=None if unknown else length, blocks=blocks)
