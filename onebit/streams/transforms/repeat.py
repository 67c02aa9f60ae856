"""Repeat: a finite stream several times over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from onebit.errors import BadParameter
from onebit.kernel.block import Block
from onebit.naming.params import Whole
from onebit.streams import Stream, transform


@transform
class Repeat(NamedTuple):
    """A finite stream n times over, in the same order each time."""

    n: Annotated[int, Whole(1), "how often to play the stream"] = 2

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the longer stream."""
        if stream.length is None and not stream.ends:
            raise BadParameter("Repeat: an endless stream cannot be repeated; put take before it.")

        def blocks() -> Iterator[Block]:
            for _ in range(self.n):
                yield from stream.blocks()

        length = None if stream.length is None else stream.length * self.n
        return stream._replace(length=length, blocks=blocks)
