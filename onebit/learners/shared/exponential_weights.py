"""Exponential weights that neither overflow nor underflow, whatever the losses.

Learners that weight choices by exp(-eta loss) store the losses: the best choice has weight 1,
the others are relative to it, and a choice whose weight underflows to 0 recovers when the
others fall behind.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, Self, TypeVar

import numpy as np
import numpy.typing as npt

from onebit.kernel.rows import Dense, Floats, set_zero
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import COUNTS, DERIVED, Axes, initial_state
from onebit.kernel.verbs import kernel
from onebit.naming.params import Auto, Whole

T = TypeVar("T")

#: The number of rounds learned from, as an array of one number.
RoundsLearned = Annotated[npt.NDArray[np.int64], Axes(1, dtype="int64", within=COUNTS)]
#: The parameter that fixes eta; without it eta decreases from round to round.
Horizon = Annotated[Any, Auto(Whole(1)), "how many rounds there will be, if known"]


def begin_with_horizon(kind: type[T], sizes: Sizes, params: Mapping[str, Any]) -> T:
    """Return the first state of a learner with a horizon: `rounds` is 0 if it is not known."""
    rounds = 0 if params["rounds"] == "auto" else params["rounds"]
    return initial_state(kind, sizes, {**params, "rounds": rounds})


class LabelWeights(NamedTuple):
    """The fields of a learner that keeps a loss and a weight for each label."""

    losses: Annotated[Floats, Axes("labels")]
    weights: Annotated[Floats, Axes("labels", first=1.0, role=DERIVED)]
    rounds_learned: RoundsLearned
    rounds: Horizon = "auto"

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> Self:
        """Return the first state."""
        return begin_with_horizon(cls, sizes, params)

    def derive(self) -> None:
        """Set the weights for the next round from the losses."""
        labels, t = len(self.losses), int(self.rounds_learned[0]) + 1
        eta = learning_rate(math.log(labels) / labels, self.rounds, t)
        set_weights(self.losses, eta, self.weights)

    def grown(self, old: Any) -> None:
        """Give a new label the mean loss of the others; with 0 it would be the best of all."""
        self.losses[len(old.losses) :] = old.losses.mean()


@kernel
def set_weights(losses: Floats, eta: float, weights: Floats) -> float:
    """Set weights[i] to exp(-eta (losses[i] - lowest)), and return the lowest loss."""
    lowest = losses[0]
    for i in range(1, losses.shape[0]):
        lowest = min(lowest, losses[i])
    for i in range(losses.shape[0]):
        weights[i] = math.exp(eta * (lowest - losses[i]))
    return float(lowest)


@kernel
def sum_weights_by_label(weights: Floats, x: Dense, out: Floats) -> None:
    """Set out[k] to the total weight of the hypotheses that predict label k."""
    advice = x.values
    set_zero(out)
    for i in range(weights.shape[0]):
        out[int(advice[i])] += weights[i]


@kernel
def learning_rate(ratio: float, rounds: int, t: int) -> float:
    """Return eta for round t: sqrt(2 ratio / rounds), or sqrt(ratio / t) if `rounds` is 0.

    `ratio` is ln N / K for N choices and K labels, or ln N with full information.
    """
    if rounds > 0:
        return math.sqrt(2.0 * ratio / rounds)
    return math.sqrt(ratio / t)
