"""Exponential weights that neither overflow nor underflow, whatever the losses.

Learners that weigh choices by exp(-eta loss) keep the losses themselves: the
best choice weighs 1, the others are measured against it, and a choice whose
weight is too small for a number comes back when the others fall behind.
"""

from __future__ import annotations

import math

from onebit.rows import Dense, Floats, wipe
from onebit.verbs import kernel


@kernel
def weigh(losses: Floats, eta: float, weights: Floats) -> float:
    """Set weights[i] to exp(-eta (losses[i] - lowest)), and return the lowest loss."""
    lowest = losses[0]
    for i in range(1, losses.shape[0]):
        lowest = min(lowest, losses[i])
    for i in range(losses.shape[0]):
        weights[i] = math.exp(eta * (lowest - losses[i]))
    return float(lowest)


@kernel
def follow(weights: Floats, x: Dense, out: Floats) -> None:
    """Set out[k] to the weight of all hypotheses that say label k."""
    advice = x.values
    wipe(out)
    for i in range(weights.shape[0]):
        out[int(advice[i])] += weights[i]


@kernel
def eta(size: float, rounds: int, t: int) -> float:
    """Return the rate for round t: fixed by the number of rounds, or if that is 0, anytime.

    sqrt(2 size / rounds), or sqrt(size / t), where `size` is the learner's ln N, or ln N / K.
    """
    if rounds > 0:
        return math.sqrt(2.0 * size / rounds)
    return math.sqrt(size / t)
