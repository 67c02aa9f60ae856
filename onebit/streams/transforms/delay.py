"""Delay: feedback that arrives some rounds later."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.rng import key, uniforms
from onebit.kernel.rows import Starts
from onebit.naming.params import OneOf, Whole
from onebit.streams import Stream, transform


@transform
class Delay(NamedTuple):
    """The feedback of a round arrives n rounds later, always or on average.

    It is learned after that later round was played, the oldest first; what has not
    arrived when the stream ends is never learned. `kind=geometric` draws each
    round's delay from a geometric distribution on 0, 1, 2, .... Several delays add up.
    """

    n: Annotated[int, Whole(0, 10**12), "rounds between a decision and its feedback"] = 10
    kind: Annotated[str, OneOf(("fixed", "geometric")), "n always, or n on average"] = "fixed"

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the stream with delayed feedback."""
        source = key(seed, f"delay {number}")

        def delays(first: int, rounds: int) -> Starts:
            before = stream.delays(first, rounds) if stream.delays else np.zeros(rounds, np.int64)
            if self.kind == "fixed" or self.n == 0:
                return before + self.n
            return before + geometric(source, first, rounds, self.n)

        return stream._replace(delays=delays)


def geometric(source: int, first: int, rounds: int, mean: float) -> Starts:
    """Draw from 0, 1, 2, ... with probability p (1 - p)^d and this mean, by inversion."""
    scale = math.log1p(-1.0 / (mean + 1.0))
    draws = uniforms(source, first, rounds).tolist()
    return np.array([int(math.log1p(-u) / scale) for u in draws], np.int64)
