"""SOA: the standard optimal algorithm, which makes as few mistakes as can be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.errors import BadInput
from onebit.hypotheses.table import TableText, read_table
from onebit.kernel.round import Label, Played, learn, score
from onebit.kernel.rows import Dense, Floats
from onebit.kernel.state import Axes, Sizes, initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.shared.version_space import Alive, Ledger, empty_class, keep_right, note
from onebit.naming.params import Auto
from onebit.theory.littlestone import dimensions


class Spaces(NamedTuple):
    """Version spaces in ascending order, and their dimensions; none if any advice may come."""

    sets: npt.NDArray[np.int64]
    dimensions: Floats


@learner(hears=Label, row="advice")
class Soa(NamedTuple):
    """Plays the label whose hypotheses have the largest Littlestone dimension, told the truth.

    No learner makes fewer mistakes in the worst case. It must know the instances that
    can come: `table` has a row of label digits for each hypothesis and a column for
    each instance. If auto, any advice may come; the dimension of n hypotheses is then
    log2 n rounded down, and it plays nearly as `halving` does.

    Reference: N. Littlestone, "Learning quickly when irrelevant attributes abound",
    Machine Learning 2 (1988), Section 3; for more than two labels A. Daniely, S. Sabato,
    S. Ben-David and S. Shalev-Shwartz, COLT 2011.

    Guarantee: M <= Ldim(H) <= log2 |H| if a hypothesis is always right.

    >>> from onebit import Agent
    >>> agent = Agent("soa", labels=["no", "yes"], table="0011/0001/0000", seed=1)
    >>> agent.learn(agent.decide([1, 0, 0]), truth="no")
    >>> agent.predict([1, 0, 0])
    'no'
    """

    alive: Annotated[Alive, Axes("features", first=1.0, dtype="bool")]
    ledger: Annotated[Ledger, Axes(2, dtype="int64")]
    spaces: Any = None
    table: Annotated[Any, Auto(TableText()), "what each hypothesis says of each instance"] = "auto"

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> Soa:
        """Return the first state, with the dimension of every version space."""
        found: dict[int, int] = {}
        if params["table"] != "auto":
            table = read_table("Soa", params["table"], sizes.labels)
            if len(table) != sizes.features:
                raise BadInput(
                    f"Soa: the table must have as many hypotheses as the advice, {sizes.features},"
                    f" got {len(table)}."
                )
            found = dimensions("Soa", table)
        sets = np.array(sorted(found), np.int64)
        spaces = Spaces(sets, np.array([found[s] for s in sets.tolist()], np.float64))
        return initial_state(cls, sizes, {"table": 0})._replace(spaces=spaces)

    def complaint(self) -> str | None:
        """Say when no hypothesis is left."""
        return empty_class(self.ledger)


@kernel
def dimension_of(learner: Soa, x: Dense, label: int) -> float:
    """Return the dimension of the hypotheses left that say a label; -1 if there are none."""
    space, left = 0, 0
    for i in range(learner.alive.shape[0]):
        if learner.alive[i] and int(x.values[i]) == label:
            left += 1
            if i < 62:
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
    # no column of the table, or no table: any advice may come
    size = 0
    while left > 1:
        left //= 2
        size += 1
    return float(size)


@implements(score, Soa)
def _(learner: Soa, x: Dense, out: Floats) -> None:
    for k in range(out.shape[0]):
        out[k] = dimension_of(learner, x, k)


@implements(learn, Soa)
def _(learner: Soa, x: Dense, scores: Floats, played: Played, feedback: Label) -> None:
    note(learner.ledger, keep_right(learner.alive, x, feedback.truth))
