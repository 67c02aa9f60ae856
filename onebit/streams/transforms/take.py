"""Take: the first rows of a stream, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from onebit.params import Whole
from onebit.rows import head
from onebit.streams import Block, Stream, transform


@transform
class Take(NamedTuple):
    """The first n rows of a stream."""

    n: Annotated[int, Whole(1), "how many rows to take"] = 10_000

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the shorter stream."""
        length = self.n if stream.length is None else min(self.n, stream.length)

        def blocks() -> Iterator[Block]:
            left = length
            for rows, truths in stream.blocks():
                if len(truths) >= left:
                    yield Block(head(rows, left), truths[:left])
                    return
                left -= len(truths)
                yield Block(rows, truths)

        return stream._replace(length=length, blocks=blocks)
