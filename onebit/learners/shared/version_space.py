"""Version spaces: which hypotheses of a class are still consistent with the feedback."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.kernel.round import Feedback, is_true, true_count
from onebit.kernel.rows import Dense, Floats, set_zero
from onebit.kernel.state import COUNTS, Axes
from onebit.kernel.verbs import kernel

Bools = npt.NDArray[np.bool_]
#: Whether each hypothesis is in the version space.
Alive = Annotated[Bools, Axes("features", first=1.0, dtype="bool")]
#: The number of rounds learned from, and the one after which the space was empty (0: none).
RoundCounts = Annotated[npt.NDArray[np.int64], Axes(2, dtype="int64", within=COUNTS)]


class VersionSpace(NamedTuple):
    """The fields of a learner that keeps a version space."""

    alive: Alive
    round_counts: RoundCounts

    def complaint(self) -> str | None:
        """Return an error sentence if the version space is empty."""
        return empty_space_error(self.round_counts)


@kernel
def count_votes(alive: Bools, x: Dense, out: Floats) -> None:
    """Set out[k] to how many hypotheses of the version space predict label k."""
    set_zero(out)
    advice = x.values
    for i in range(alive.shape[0]):
        if alive[i]:
            out[int(advice[i])] += 1.0


@kernel
def remove_wrong(alive: Bools, x: Dense, feedback: Feedback) -> int:
    """Remove the hypotheses that predict a wrong label; return how many are left.

    A round without a right label removes none.
    """
    advice, left = x.values, 0
    for i in range(alive.shape[0] if true_count(feedback) > 0 else 0):
        if not is_true(feedback, int(advice[i])):
            alive[i] = False
    for i in range(alive.shape[0]):
        left += alive[i]
    return left


@kernel
def count_round(round_counts: npt.NDArray[np.int64], left: int) -> None:
    """Count a round, and store its number if it is the first that left no hypothesis."""
    round_counts[0] += 1
    if left == 0 and round_counts[1] == 0:
        round_counts[1] = round_counts[0]


def empty_space_error(round_counts: npt.NDArray[np.int64]) -> str | None:
    """Return the error sentence for an empty version space, or None if it is not empty."""
    if round_counts[1] == 0:
        return None
    return (
        f"no hypothesis is left after round {round_counts[1]} of those with feedback: none of the"
        " class is always right."
    )
