"""Exponential weights that neither overflow nor underflow, whatever the losses.

Learners that weigh choices by exp(-eta loss) keep the losses themselves: the
best choice weighs 1, the others are measured against it, and a choice whose
weight is too small for a number comes back when the others fall behind.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, Self, TypeVar

from onebit.kernel.rows import Dense, Floats, set_zero
from onebit.kernel.state import Axes, Sizes, initial_state
from onebit.kernel.verbs import kernel
from onebit.learners.shared.version_space import Ledger
from onebit.naming.params import Auto, Whole

T = TypeVar("T")

#: The parameter that fixes a learner's rate; without it the rate falls as rounds come.
Horizon = Annotated[Any, Auto(Whole(1)), "how many rounds there will be, if known"]


def begin(kind: type[T], sizes: Sizes, params: Mapping[str, Any]) -> T:
    """Return the first state of a learner with a horizon: `rounds` is 0 if it is not known."""
    rounds = 0 if params["rounds"] == "auto" else params["rounds"]
    return initial_state(kind, sizes, {**params, "rounds": rounds})


class LabelWeights(NamedTuple):
    """The fields of a learner that keeps a loss and a weight for each label."""

    losses: Annotated[Floats, Axes("labels")]
    weights: Annotated[Floats, Axes("labels", first=1.0)]
    ledger: Annotated[Ledger, Axes(1, dtype="int64")]
    rounds: Horizon = "auto"

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> Self:
        """Return the first state; rounds are 0 if they are not known."""
        return begin(cls, sizes, params)


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
    set_zero(out)
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
