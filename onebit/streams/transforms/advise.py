"""Advise: the advice of a class of hypotheses about each row, in place of the row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from onebit.kernel.block import Block, Single
from onebit.kernel.rows import DenseRows, Rows
from onebit.kernel.sizes import Sizes
from onebit.naming.params import OneOf, Param, declared_params
from onebit.streams import Stream, transform
from onebit.streams.transforms import prepare_with
from onebit.theory import hypotheses
from onebit.theory.hypotheses import advise_all

#: Values in a block of advice: few enough for the processor's cache.
_BLOCK_VALUES = 500_000


@transform
class Advise:
    """The advice of a class of hypotheses in place of each row, for learners that read advice.

    `class` names it (see `onebit hypotheses`); its parameters follow, such as
    advise:class=stumps,n=3.
    """

    def __init__(self, **params: Any) -> None:
        self.made = hypotheses.find(params.pop("class"))(**params)

    @classmethod
    def takes(cls, given: Mapping[str, Any]) -> tuple[Param, ...]:
        """Return the parameters: the class, and those of the class that is named."""
        words = hypotheses.names_for_specs()
        choice = Param("class", OneOf(tuple(words)), "stumps", "the class of hypotheses")
        name = str(given.get("class", choice.default))
        return (choice, *(declared_params(hypotheses.find(name)) if name in words else ()))

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the stream of advice."""
        made = self.made.for_sizes(Sizes(stream.features, len(stream.labels), stream.columns))

        def advice(rows: Rows, n: int = 0) -> DenseRows:
            out = np.empty((n, made.size))
            advise_all(made, rows, out)
            return DenseRows(out)

        def blocks() -> Iterator[Block]:
            for block in stream.blocks():
                for part in _parts(block, max(1, _BLOCK_VALUES // made.size)):
                    yield part._replace(rows=advice(part.rows, part.rounds))

        return stream._replace(
            features=made.size,
            blocks=blocks,
            prepare=prepare_with(stream, advice),
            columns=(),
            row="advice",
            encoder=None,
        )


def _parts(block: Block, most: int) -> Iterator[Block]:
    """Return views of a block of at most `most` rounds each."""
    for at in range(0, block.rounds, most):
        stop = min(at + most, block.rounds)
        rows, truths = block.rows, block.truths
        if isinstance(rows, DenseRows):
            rows = DenseRows(rows.values[at:stop])
        else:
            rows = rows._replace(starts=rows.starts[at : stop + 1])
        if isinstance(truths, Single):
            truths = Single(truths.labels[at:stop])
        else:
            truths = truths._replace(starts=truths.starts[at : stop + 1])
        yield Block(rows, truths, block.signals[at:stop])
