"""Stump: a decision stump on one feature."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from onebit.kernel.rows import Floats, Ints, Row, feature, value
from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements, kernel
from onebit.learners.weak import LITERAL, PLAIN, Copies, Dtype, Reading, train, vote, weak


@weak
class Stump(NamedTuple):
    """Splits on whether one feature is above 0, and votes by the weighted majority of that side.

    Each copy uses the feature whose two sides have the largest weighted majorities together.
    A copy changes to another feature only on a row in which that one is above 0, so that a
    round takes time proportional to its row.

    Reference: none; an online version of the decision stump of Iba and Langley, ICML 1992.
    """

    # sums of y times weight: over rows in which the feature is above 0, and over all rows
    sums: Annotated[Floats, Axes("features", "labels", "n", dtype="dtype")]
    totals: Annotated[Floats, Axes("labels", "n")]
    chosen: Annotated[Ints, Axes("labels", "n", first=-1, dtype="int32", within="[-1, 2147483647]")]
    n: Copies = 1
    reading: Reading = "plain"  # type: ignore[assignment]
    dtype: Dtype = "float64"  # type: ignore[assignment]


@implements(vote, Stump)
def _(bank: Stump, x: Row, out: Floats) -> None:
    for k in range(out.shape[0]):
        for i in range(out.shape[1]):
            total, j = bank.totals[k, i], bank.chosen[k, i]
            if 0 <= j < bank.sums.shape[0]:
                on = bank.sums[j, k, i]
                total = on if value(x, j) > 0.0 else total - on
            if bank.reading == PLAIN:
                out[k, i] = total
            elif total == 0.0:
                out[k, i] = 1.0 if bank.reading == LITERAL else 0.0
            else:
                out[k, i] = 1.0 if total > 0.0 else -1.0


@implements(train, Stump)
def _(bank: Stump, x: Row, label: int, y: float, weights: Floats) -> None:
    n = weights.shape[0]
    for i in range(n):
        bank.totals[label, i] += y * weights[i]
    for e in range(x.values.shape[0]):
        j, amount = feature(x, e), x.values[e]
        if amount > 0.0:
            for i in range(n):
                bank.sums[j, label, i] += y * weights[i]
    for e in range(x.values.shape[0]):
        j, amount = feature(x, e), x.values[e]
        if amount > 0.0:
            for i in range(n):
                now = bank.chosen[label, i]
                none = not 0 <= now < bank.sums.shape[0]
                if none or split_score(bank, j, label, i) > split_score(bank, now, label, i):
                    bank.chosen[label, i] = j


@kernel
def split_score(bank: Any, j: int, label: int, i: int) -> float:
    """Return the weighted majorities of the two sides of feature j, added up."""
    on = bank.sums[j, label, i]
    return abs(on) + abs(bank.totals[label, i] - on)  # type: ignore[no-any-return]
