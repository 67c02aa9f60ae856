"""PA: passive while its margin is large enough, else as aggressive as its weight allows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from onebit.kernel.rows import Floats, Row
from onebit.kernel.state import Axes, Sizes
from onebit.kernel.verbs import implements
from onebit.learners.weak import Copies, Dtype, Reading, Start, _linear, train, vote, weak
from onebit.learners.weak._linear import extent, look, say, step


@weak
class Pa(NamedTuple):
    """Steps by min(weight, loss / ||x||^2) with loss 1 - y <w, x>, if it is above 0 (PA-I, C = 1).

    Reference: Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, JMLR 7 (2006), PA-I;
    a weight scales C.
    """

    weights: Annotated[Floats, Axes("features", "labels*n", dtype="dtype")]
    bias: Annotated[Floats, Axes("labels", "n")]
    squares: Annotated[Floats, Axes("labels", "n")]
    margins: Annotated[Floats, Axes("labels*n", kept=False)]
    steps: Annotated[Floats, Axes("n", kept=False)]
    n: Copies = 1
    reading: Reading = "plain"  # type: ignore[assignment]
    start: Start = "zero"  # type: ignore[assignment]
    dtype: Dtype = "float64"  # type: ignore[assignment]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> Any:
        """Return a bank whose weights are zero, or drawn."""
        return _linear.begin(cls, sizes, seed, params)


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
