"""The Littlestone dimension of a class written out as a table.

It is the number of mistakes that an adversary can force on any learner, and that
the standard optimal algorithm never exceeds. A set of hypotheses is a number whose
bit i says whether hypothesis i is in it.
"""

from __future__ import annotations

from onebit.errors import BadInput
from onebit.kernel.rows import Floats

#: More hypotheses do not fit into a number; more version spaces, or splits of them, take too long.
MOST_HYPOTHESES, MOST_SPACES, MOST_SPLITS = 62, 200_000, 4_000_000


def dimension(table: Floats) -> int:
    """Return the Littlestone dimension of a table of label numbers (hypotheses, instances)."""
    return dimensions("dimension", table)[(1 << len(table)) - 1]


def dimensions(who: str, table: Floats) -> dict[int, int]:
    """Return the dimension of every version space: each set that some answers leave.

    A set has dimension at least n + 1 if, for some instance, two labels leave sets of
    dimension at least n; a set of one hypothesis has dimension 0.
    """
    n, instances = table.shape
    if n > MOST_HYPOTHESES:
        raise BadInput(f"{who}: a table must have at most 62 hypotheses, got {n}.")
    columns = {tuple(_sets(column).values()) for column in table.T.tolist()}
    most = min(MOST_SPACES, MOST_SPLITS // max(1, len(columns)))
    found: dict[int, int] = {}

    def visit(space: int) -> int:
        known = found.get(space)
        if known is not None:
            return known
        if len(found) >= most:
            raise BadInput(
                f"{who}: a table must have at most {most:,} version spaces, got more"
                f" with {n} hypotheses over {instances} instances."
            )
        best = found[space] = 0
        for column in columns:
            parts = [part for said in column if (part := said & space)]
            if len(parts) > 1:
                second = sorted(map(visit, parts))[-2]
                best = max(best, second + 1)
        found[space] = best
        return best

    visit((1 << n) - 1)
    return found


def _sets(column: list[float]) -> dict[float, int]:
    """Return, for each label, the set of hypotheses that say it."""
    sets: dict[float, int] = {}
    for i, label in enumerate(column):
        sets[label] = sets.get(label, 0) | 1 << i
    return sets
