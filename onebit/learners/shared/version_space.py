"""Version spaces: which hypotheses of a class are left, and when none is."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.kernel.rows import Dense, Floats, set_zero
from onebit.kernel.state import Axes
from onebit.kernel.verbs import kernel

#: Whether each hypothesis is left.
Alive = npt.NDArray[np.bool_]
#: How many rounds were heard, and after which of them no hypothesis was left (0: never).
Ledger = npt.NDArray[np.int64]


class VersionSpace(NamedTuple):
    """The fields of a learner that keeps which hypotheses are left."""

    alive: Annotated[Alive, Axes("features", first=1.0, dtype="bool")]
    ledger: Annotated[Ledger, Axes(2, dtype="int64")]

    def complaint(self) -> str | None:
        """Return a sentence when no hypothesis is left."""
        return empty_class(self.ledger)


@kernel
def keep_right(alive: Alive, x: Dense, truth: int) -> int:
    """Rule out the hypotheses that said another label; return how many are left."""
    advice = x.values
    left = 0
    for i in range(alive.shape[0]):
        if int(advice[i]) != truth:
            alive[i] = False
        left += alive[i]
    return left


@kernel
def count_votes(alive: Alive, x: Dense, out: Floats) -> None:
    """Set out[k] to how many of the hypotheses that are left say label k."""
    set_zero(out)
    advice = x.values
    for i in range(alive.shape[0]):
        if alive[i]:
            out[int(advice[i])] += 1.0


@kernel
def note(ledger: Ledger, left: int) -> None:
    """Count a round, and remember it if it left no hypothesis."""
    ledger[0] += 1
    if left == 0 and ledger[1] == 0:
        ledger[1] = ledger[0]


def empty_class(ledger: Ledger) -> str | None:
    """Return the complaint that no hypothesis is left, or None."""
    if ledger[1] == 0:
        return None
    return (
        f"no hypothesis is left after round {ledger[1]} of those with feedback: none of the"
        " class is always right."
    )
