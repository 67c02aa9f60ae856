"""Sectors: points of the unit circle near one of K directions, which are the labels."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np

from onebit.errors import BadParameter
from onebit.kernel.block import BLOCK, Block, noiseless_block
from onebit.kernel.rng import key, uniform, uniforms
from onebit.kernel.rows import DenseRows
from onebit.naming.params import Real, Whole
from onebit.streams import Stream, stream


@stream(
    rows=None,
    labels=3,
    features=2,
    source="generated, the plane cut into K sectors",
    licence="none needed",
)
class Sectors(NamedTuple):
    """Points of the unit circle within an angle of one of K evenly spaced directions.

    The first direction is drawn by the seed. Weights a u_k, with u_k the directions, give the
    right label a margin of a (cos s - cos(2 pi / K - s)), s the `spread`: few features and
    more than two labels, for which grids of weights can be counted.

    Reference: Kakade, Shalev-Shwartz and Tewari, ICML 2008, Theorem 7, whose bound it is for.
    """

    labels: Annotated[int, Whole(2, 1000), "number of labels, K"] = 3
    spread: Annotated[float, Real("[0, 3.14]"), "largest angle from a direction, s"] = 0.2

    def open(self, seed: int) -> Stream:
        """Draw the first direction and return the stream of points."""
        if self.spread >= math.pi / self.labels:
            raise BadParameter(
                f"Sectors: spread must be below pi / labels, {math.pi / self.labels:.4g}, got"
                f" {self.spread:g}."
            )
        first = 2.0 * math.pi * uniform(key(seed, "sectors first"), 0)
        rows_key = key(seed, "sectors rows")

        def blocks() -> Iterator[Block]:
            for number in itertools.count():
                chance = uniforms(rows_key, 2 * BLOCK * number, 2 * BLOCK).reshape(BLOCK, 2)
                truths = (chance[:, 0] * self.labels).astype(np.int32)
                angles = first + 2.0 * math.pi * truths / self.labels
                angles += self.spread * (2.0 * chance[:, 1] - 1.0)
                rows = 0.999999999 * np.column_stack([np.cos(angles), np.sin(angles)])
                yield noiseless_block(DenseRows(np.ascontiguousarray(rows)), truths)

        return Stream(list(range(self.labels)), 2, None, blocks)


def sector_complexity(labels: int, spread: float) -> float:
    """Return D = 2 ||W||^2 of weights along the directions with margin 1."""
    margin = 0.999999999 * (math.cos(spread) - math.cos(2.0 * math.pi / labels - spread))
    return 2.0 * labels / margin**2
