"""Perceptron: adds the weighted row to its weights on a mistake."""

from __future__ import annotations

from onebit.kernel.rows import Floats, Row
from onebit.kernel.verbs import implements
from onebit.learners.weak import train, vote, weak
from onebit.learners.weak._linear import Linear, apply_steps, vote_by_margin


@weak
class Perceptron(Linear):
    """Adds y times its weight times the row to its weights when y <w, x> <= 0.

    Reference: Rosenblatt 1958, as the weak learner of Chen, Lin and Lu, ICML 2014.
    """


@implements(vote, Perceptron)
def _(bank: Perceptron, x: Row, out: Floats) -> None:
    vote_by_margin(bank, x, out)


@implements(train, Perceptron)
def _(bank: Perceptron, x: Row, label: int, y: float, weights: Floats) -> None:
    at = label * weights.shape[0]
    errs = False
    for i in range(weights.shape[0]):
        wrong = y * bank.margins[at + i] <= 0.0
        bank.steps[i] = y * weights[i] if wrong else 0.0
        errs = errs or wrong
    if errs:
        apply_steps(bank, x, label)
