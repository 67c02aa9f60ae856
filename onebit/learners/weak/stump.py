"""Stump: one feature decides."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from onebit.kernel.rows import Floats, Ints, Row, feature, value
from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements, kernel, no_refcount
from onebit.learners.weak import LITERAL, PLAIN, Copies, Dtype, Reading, train, vote, weak


@weak
class Stump(NamedTuple):
    """Asks whether one feature is above 0, and says what was more often true in that case.

    Each copy follows the feature whose two answers have the largest weighted lead
    so far. A feature takes the lead on a row in which it is above 0, so that a
    round costs no more than its row.

    Reference: none; the decision stump of Iba and Langley, ICML 1992, kept online.
    """

    leads: Annotated[Floats, Axes("features", "labels", "n", dtype="dtype")]
    totals: Annotated[Floats, Axes("labels", "n")]
    chosen: Annotated[Ints, Axes("labels", "n", first=-1, dtype="int32")]
    n: Copies = 1
    reading: Reading = "plain"  # type: ignore[assignment]
    dtype: Dtype = "float64"  # type: ignore[assignment]


@implements(vote, Stump)
def _(bank: Stump, x: Row, out: Floats) -> None:
    for k in range(out.shape[0]):
        for i in range(out.shape[1]):
            lead, j = bank.totals[k, i], bank.chosen[k, i]
            if 0 <= j < bank.leads.shape[0]:
                on = bank.leads[j, k, i]
                lead = on if value(x, j) > 0.0 else lead - on
            if bank.reading == PLAIN:
                out[k, i] = lead
            elif lead == 0.0:
                out[k, i] = 1.0 if bank.reading == LITERAL else 0.0
            else:
                out[k, i] = 1.0 if lead > 0.0 else -1.0


@implements(train, Stump)
def _(bank: Stump, x: Row, label: int, y: float, weights: Floats) -> None:
    n = weights.shape[0]
    for i in range(n):
        bank.totals[label, i] += y * weights[i]
    for e in range(x.values.shape[0]):
        j, amount = feature(x, e), x.values[e]
        if amount > 0.0:
            for i in range(n):
                bank.leads[j, label, i] += y * weights[i]
    for e in range(x.values.shape[0]):
        j, amount = feature(x, e), x.values[e]
        if amount > 0.0:
            for i in range(n):
                now = bank.chosen[label, i]
                none = not 0 <= now < bank.leads.shape[0]
                if none or worth(bank, j, label, i) > worth(bank, now, label, i):
                    bank.chosen[label, i] = j


@no_refcount
@kernel
def worth(bank: Any, j: int, label: int, i: int) -> float:
    """Return the weighted lead of the two answers of feature j together."""
    on = bank.leads[j, label, i]
    return abs(on) + abs(bank.totals[label, i] - on)  # type: ignore[no-any-return]
