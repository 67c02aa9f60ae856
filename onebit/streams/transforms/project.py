"""Project: rows in fewer dimensions, by a random projection."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.block import Block
from onebit.kernel.rng import key, uniform
from onebit.kernel.rows import DenseRows, Floats, Rows, SparseRows, as_sparse
from onebit.kernel.verbs import entry, kernel
from onebit.naming.params import Whole
from onebit.streams import Stream, transform
from onebit.streams.transforms import map_blocks, prepare_with

#: Signs from one random number.
_SIGNS = 32


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

    n: Annotated[int, Whole(1), "dimensions to project to"] = 400

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the stream of dense rows."""
        signs = key(seed, f"project {number}")

        def projected(rows: Rows) -> DenseRows:
            sparse = as_sparse(rows)
            values = np.zeros((len(sparse.starts) - 1, self.n))
            project(sparse, signs, values)
            return DenseRows(values)

        def change(block: Block, first: int) -> Block:
            return block._replace(rows=projected(block.rows))

        return stream._replace(
            features=self.n,
            blocks=map_blocks(stream, change),
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
        total = 0.0
        for c in range(out.shape[1]):
            total += out[i, c] * out[i, c]
        if total > 1.0:
            norm = math.sqrt(total)
            for c in range(out.shape[1]):
                out[i, c] /= norm


@kernel
def add_signed(feature: int, value: float, key: int, out: Floats) -> None:
    """Add a feature's value to every dimension, with the sign that the feature has there."""
    draws = (out.shape[0] + _SIGNS - 1) // _SIGNS
    for draw in range(draws):
        bits = int(uniform(key, feature * draws + draw) * 2.0**_SIGNS)
        first = draw * _SIGNS
        for c in range(first, min(first + _SIGNS, out.shape[0])):
            out[c] += value if (bits >> (c - first)) & 1 else -value
