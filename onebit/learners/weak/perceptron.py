"""Perceptron: adds the row to its weights when it errs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from onebit.kernel.rows import Floats, Row
from onebit.kernel.state import Axes, Sizes
from onebit.kernel.verbs import implements
from onebit.learners.weak import Copies, Dtype, Reading, Start, _linear, train, vote, weak
from onebit.learners.weak._linear import look, say, step


@weak
class Perceptron(NamedTuple):
    """Adds y times its weight times the row to its weights when y <w, x> <= 0.

    Reference: Rosenblatt 1958, as the weak learner of Chen, Lin and Lu, ICML 2014.
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


@implements(vote, Perceptron)
def _(bank: Perceptron, x: Row, out: Floats) -> None:
    look(bank, x)
    say(bank, x, out)


@implements(train, Perceptron)
def _(bank: Perceptron, x: Row, label: int, y: float, weights: Floats) -> None:
    at = label * weights.shape[0]
    errs = False
    for i in range(weights.shape[0]):
        wrong = y * bank.margins[at + i] <= 0.0
        bank.steps[i] = y * weights[i] if wrong else 0.0
        errs = errs or wrong
    if errs:
        step(bank, x, label)
