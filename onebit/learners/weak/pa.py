"""PA: no step if the margin is at least 1, else the step to margin 1, limited by the weight."""

from __future__ import annotations

from onebit.kernel.rows import Floats, Row
from onebit.kernel.verbs import implements
from onebit.learners.weak import train, vote, weak
from onebit.learners.weak._linear import Linear, apply_steps, squared_length, vote_by_margin


@weak
class Pa(Linear):
    """Steps by min(weight, loss / ||x||^2) with loss 1 - y <w, x>, if positive (PA-I, C = 1).

    Units: a weight limits a step, so that with rows as they are (`cova`, `step=smooth`) it depends
    on their unit; with scaled rows it does not.

    Reference: Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, JMLR 7 (2006), PA-I;
    a weight scales C.
    """


@implements(vote, Pa)
def _(bank: Pa, x: Row, out: Floats) -> None:
    vote_by_margin(bank, x, out)


@implements(train, Pa)
def _(bank: Pa, x: Row, label: int, y: float, weights: Floats) -> None:
    total = squared_length(bank, x)
    if total <= 0.0:
        return
    at = label * weights.shape[0]
    errs = False
    for i in range(weights.shape[0]):
        loss = 1.0 - y * bank.margins[at + i]
        bank.steps[i] = y * min(weights[i], loss / total) if loss > 0.0 else 0.0
        errs = errs or loss > 0.0
    if errs:
        apply_steps(bank, x, label)
