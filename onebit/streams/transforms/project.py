"""Project: rows in fewer dimensions, by a random projection."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.block import Block
from onebit.kernel.projecting import add_signed, cut_to_unit
from onebit.kernel.rng import key
from onebit.kernel.rows import DenseRows, Floats, Rows, SparseRows, as_sparse
from onebit.kernel.verbs import entry
from onebit.naming.params import Whole
from onebit.streams import Stream, transform
from onebit.streams.transforms import prepare_with

#: Values in a block, so that wide rows come in short blocks.
_VALUES = 2**23


@transform
class Project(NamedTuple):
    """A random projection to n dimensions: P x / sqrt(n), with entries of P drawn from {-1, +1}.

    Inner products, and so margins, are nearly kept if n is large beside the
    logarithm of the number of rows. A projected row whose norm exceeds 1 is scaled
    down to 1. The rows become dense, and lose their categorical columns.

    Reference: Kakade, Shalev-Shwartz and Tewari, ICML 2008, Theorem 8 (with
    entries from {-1, +1} rather than U(-1, 1), which shrinks squared norms to a
    third); R. Arriaga and S. Vempala, Machine Learning 63(2), 2006.
    """

    n: Annotated[int, Whole(1, 2**20), "dimensions to project to"] = 400

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the stream of dense rows."""
        signs = key(seed, f"project {number}")

        def projected(rows: Rows) -> DenseRows:
            sparse = as_sparse(rows)
            values = np.zeros((len(sparse.starts) - 1, self.n))
            project(sparse, signs, values)
            return DenseRows(values)

        def blocks() -> Iterator[Block]:
            most = max(1, _VALUES // self.n)
            for block in stream.blocks():
                for first in range(0, block.rounds, most):
                    few = block.rounds <= most
                    part = (
                        block
                        if few
                        else block.pick(np.arange(first, min(first + most, block.rounds)))
                    )
                    yield part._replace(rows=projected(part.rows))

        return stream._replace(
            features=self.n,
            blocks=blocks,
            prepare=prepare_with(stream, projected),
            columns=(),
            encoder=None,
        )


@entry
def project(rows: SparseRows, key: int, out: Floats) -> None:
    """Add the projected rows to `out`, which is zero, and scale those of norm above 1."""
    root = math.sqrt(out.shape[1])
    for i in range(out.shape[0]):
        for n in range(rows.starts[i], rows.starts[i + 1]):
            add_signed(int(rows.indices[n]), rows.values[n] / root, key, out[i])
        cut_to_unit(out[i])
