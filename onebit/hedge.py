"""Exponential weights that neither overflow nor underflow, whatever the losses.

Learners that weigh choices by exp(-eta loss) keep the losses themselves: the
best choice weighs 1, the others are measured against it, and a choice whose
weight is too small for a number comes back when the others fall behind.
"""

from __future__ import annotations

import math

from onebit.rows import Floats
from onebit.verbs import kernel


@kernel
def weigh(totals: Floats, rate: float, weights: Floats) -> float:
    """Set weights[i] to exp(rate (totals[i] - best)), and return the best total.

    Losses have a negative rate: the best is then the lowest.
    """
    top = totals[0]
    for i in range(1, totals.shape[0]):
        if (totals[i] - top) * rate > 0.0:
            top = totals[i]
    for i in range(totals.shape[0]):
        weights[i] = math.exp(rate * (totals[i] - top))
    return top  # type: ignore[no-any-return]


@kernel
def eta(size: float, rounds: int, t: int) -> float:
    """Return the rate for round t: fixed by the number of rounds, or if that is 0, anytime.

    sqrt(2 size / rounds), or sqrt(size / t), where `size` is the learner's ln N, or ln N / K.
    """
    if rounds > 0:
        return math.sqrt(2.0 * size / rounds)
    return math.sqrt(size / t)
