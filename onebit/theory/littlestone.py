"""The Littlestone dimension of a class given as a table.

It is the number of mistakes that an adversary can force on any learner, and the mistake
bound of the standard optimal algorithm. A set of hypotheses is an int whose bit i is 1 if
hypothesis i is in it.
"""

from __future__ import annotations

from onebit.errors import BadParameter
from onebit.kernel.rows import Floats

#: Limits: hypotheses that fit into an int64; version spaces, and splits of them, by run time.
MAX_HYPOTHESES, MAX_SPACES, MAX_SPLITS = 62, 200_000, 4_000_000


def littlestone_dimension(table: Floats) -> int:
    """Return the Littlestone dimension of a table of label numbers (hypotheses, instances)."""
    return version_space_dimensions("dimension", table)[(1 << len(table)) - 1]


def version_space_dimensions(who: str, table: Floats) -> dict[int, int]:
    """Return the Littlestone dimension of every version space that feedback can lead to.

    A set has dimension at least n + 1 if, for some instance, the subsets of two labels have
    dimension at least n; a set of one hypothesis has dimension 0.
    """
    n, instances = table.shape
    if n > MAX_HYPOTHESES:
        raise BadParameter(f"{who}: a table must have at most 62 hypotheses, got {n}.")
    columns = {tuple(_hypotheses_by_label(column).values()) for column in table.T.tolist()}
    limit = min(MAX_SPACES, MAX_SPLITS // max(1, len(columns)))
    found: dict[int, int] = {}

    def visit(space: int) -> int:
        known = found.get(space)
        if known is not None:
            return known
        if len(found) >= limit:
            raise BadParameter(
                f"{who}: a table must have at most {limit:,} version spaces, got more"
                f" with {n} hypotheses over {instances} instances."
            )
        best = found[space] = 0
        for column in columns:
            parts = [part for predicted in column if (part := predicted & space)]
            if len(parts) > 1:
                second = sorted(map(visit, parts))[-2]
                best = max(best, second + 1)
        found[space] = best
        return best

    visit((1 << n) - 1)
    return found


def _hypotheses_by_label(column: list[float]) -> dict[float, int]:
    """Return the set of hypotheses that predict each label."""
    sets: dict[float, int] = {}
    for i, label in enumerate(column):
        sets[label] = sets.get(label, 0) | 1 << i
    return sets
