"""SOA: the standard optimal algorithm, with the fewest mistakes in the worst case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.errors import BadParameter
from onebit.kernel.round import Label, Played, learn, score
from onebit.kernel.rows import Dense, Floats
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import CONSTANT, Axes, initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.shared.version_space import (
    Alive,
    RoundCounts,
    count_round,
    empty_space_error,
    remove_wrong,
)
from onebit.naming.params import Auto
from onebit.theory.hypotheses.table import TableText, read_table
from onebit.theory.littlestone import MAX_HYPOTHESES, version_space_dimensions


class VersionSpaces(NamedTuple):
    """All version spaces of a table as sorted bit sets, and their Littlestone dimensions.

    Empty if the table is not known.
    """

    sets: Annotated[npt.NDArray[np.int64], Axes(0, dtype="int64", role=CONSTANT)]
    dimensions: Annotated[Floats, Axes(0, role=CONSTANT)]


@learner(hears=Label, row="advice", grows=False, sets=True)
class Soa(NamedTuple):
    """Plays the label whose hypotheses have the largest Littlestone dimension.

    With full information. No learner makes fewer mistakes in the worst case. It needs to know
    all possible instances: `table` has a row of label digits for each hypothesis and a column
    for each instance. If auto, any advice is possible; the dimension of n hypotheses is then
    log2 n rounded down, and it plays nearly like `halving`. Any of several right labels is
    right for a hypothesis; a round in which none is right teaches nothing.

    Reference: N. Littlestone, "Learning quickly when irrelevant attributes abound",
    Machine Learning 2 (1988), Section 3; for more than two labels A. Daniely, S. Sabato,
    S. Ben-David and S. Shalev-Shwartz, COLT 2011.

    Guarantee: M <= Ldim(H) <= log2 |H| if a hypothesis is always right and each round has one
    right label; none for sets of right labels, for which the dimension is not defined.

    >>> from onebit import Agent
    >>> agent = Agent("soa", labels=["no", "yes"], table="0011/0001/0000", seed=1)
    >>> agent.learn(agent.decide([1, 0, 0]), truth="no")
    >>> agent.predict([1, 0, 0])
    'no'
    """

    alive: Alive
    round_counts: RoundCounts
    spaces: Any = None
    table: Annotated[Any, Auto(TableText()), "label of each hypothesis for each instance"] = "auto"

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> Soa:
        """Return the first state, with the dimensions of all version spaces of the table."""
        found: dict[int, int] = {}
        if params["table"] != "auto":
            table = read_table("Soa", params["table"], sizes.labels)
            if len(table) != sizes.features:
                raise BadParameter(
                    f"Soa: the table must have as many hypotheses as the advice, {sizes.features},"
                    f" got {len(table)}."
                )
            found = version_space_dimensions("Soa", table)
        sets = np.array(sorted(found), np.int64)
        spaces = VersionSpaces(sets, np.array([found[s] for s in sets.tolist()], np.float64))
        return initial_state(cls, sizes, {"table": 0})._replace(spaces=spaces)

    def complaint(self) -> str | None:
        """Return an error sentence if the version space is empty."""
        return empty_space_error(self.round_counts)


@kernel
def dimension_of(learner: Soa, x: Dense, label: int) -> float:
    """Return the dimension of the hypotheses left that predict a label; -1 if there are none."""
    space, left = 0, 0
    for i in range(learner.alive.shape[0]):
        if learner.alive[i] and int(x.values[i]) == label:
            left += 1
            if i < MAX_HYPOTHESES:
                space |= 1 << i
    if left == 0:
        return -1.0
    sets = learner.spaces.sets
    low, high = 0, sets.shape[0]
    while low < high:
        middle = (low + high) // 2
        if sets[middle] < space:
            low = middle + 1
        else:
            high = middle
    if low < sets.shape[0] and sets[low] == space:
        return learner.spaces.dimensions[low]  # type: ignore[no-any-return]
    log2 = 0  # advice that is no column of the table, or no table
    while left > 1:
        left //= 2
        log2 += 1
    return float(log2)


@implements(score, Soa)
def _(learner: Soa, x: Dense, out: Floats) -> None:
    for k in range(out.shape[0]):
        out[k] = dimension_of(learner, x, k)


@implements(learn, Soa)
def _(learner: Soa, x: Dense, scores: Floats, played: Played, feedback: Label) -> None:
    count_round(learner.round_counts, remove_wrong(learner.alive, x, feedback))
