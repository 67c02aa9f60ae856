"""Plane: two labels, on either side of a line through the middle of a disc."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.block import BLOCK, Block, noiseless_block
from onebit.kernel.rng import key, uniform, uniforms
from onebit.kernel.rows import DenseRows, Floats
from onebit.naming.params import Real
from onebit.streams import Stream, stream


@stream(
    rows=None,
    labels=2,
    features=2,
    source="generated, the usual picture of the perceptron",
    licence="none needed",
)
class Plane(NamedTuple):
    """Points of the unit disc, labelled +1 and -1 by the side of a line that they lie on.

    The line goes through the middle, its direction is drawn by the seed, and no point
    is nearer to it than `margin`. Two features, so that weights, updates and margins
    can be drawn, and grids of weights can be counted.

    Reference: A. Novikoff, "On convergence proofs on perceptrons", 1962.
    """

    margin: Annotated[float, Real("(0, 1)"), "least distance of a point from the line"] = 0.2

    def open(self, seed: int) -> Stream:
        """Draw the line and return the stream of points."""
        u, rows_key = line_normal(seed), key(seed, "plane rows")

        def block(first: int, length: int) -> Block:
            chance = uniforms(rows_key, 3 * first, 3 * length).reshape(length, 3)
            away = self.margin + (1.0 - self.margin) * chance[:, 0]
            along = (2.0 * chance[:, 1] - 1.0) * np.sqrt(1.0 - away * away)
            side = np.where(chance[:, 2] < 0.5, 1.0, -1.0)
            rows = np.empty((length, 2))
            rows[:, 0] = side * away * u[0] - along * u[1]
            rows[:, 1] = side * away * u[1] + along * u[0]
            return noiseless_block(DenseRows(rows), (side < 0).astype(np.int32))

        def blocks() -> Iterator[Block]:
            for number in itertools.count():
                yield block(number * BLOCK, BLOCK)

        return Stream([1, -1], 2, None, blocks)


def line_normal(seed: int) -> Floats:
    """Return the unit vector across the line: it points to the label +1."""
    angle = 2.0 * math.pi * uniform(key(seed, "plane line"), 0)
    return np.array([math.cos(angle), math.sin(angle)])
