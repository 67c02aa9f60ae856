"""PA: passive while its margin is large enough, else as aggressive as its weight allows."""

from __future__ import annotations

from onebit.kernel.rows import Floats, Row
from onebit.kernel.verbs import implements
from onebit.learners.weak import train, vote, weak
from onebit.learners.weak._linear import Linear, extent, look, say, step


@weak
class Pa(Linear):
    """Steps by min(weight, loss / ||x||^2) with loss 1 - y <w, x>, if it is above 0 (PA-I, C = 1).

    Reference: Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, JMLR 7 (2006), PA-I;
    a weight scales C.
    """


@implements(vote, Pa)
def _(bank: Pa, x: Row, out: Floats) -> None:
    look(bank, x)
    say(bank, x, out)


@implements(train, Pa)
def _(bank: Pa, x: Row, label: int, y: float, weights: Floats) -> None:
    total = extent(bank, x)
    if total <= 0.0:
        return
    at = label * weights.shape[0]
    errs = False
    for i in range(weights.shape[0]):
        loss = 1.0 - y * bank.margins[at + i]
        bank.steps[i] = y * min(weights[i], loss / total) if loss > 0.0 else 0.0
        errs = errs or loss > 0.0
    if errs:
        step(bank, x, label)
