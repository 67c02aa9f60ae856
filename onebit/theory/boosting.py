"""Theorems on boosting from one bit, with constants where the paper or its proof gives them."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from onebit.naming.params import Real
from onebit.theory.terms import Labels
from onebit.theory.theorem import order


class Boosted(NamedTuple):
    """The exploration rate for a given error, and the orders of what BanditBoost needs for it.

    Attributes
    ----------
    delta : float
        The exploration rate.
    weak_learners : float
        The number of weak learners for each label.
    rounds : float
        The number of rounds.
    weight : float
        The total weight of the examples of a weak learner, by condition (1).
    small_margins : float
        The number of margins below theta, by Lemma 2.
    voting_loss : float
        The loss of the voting weights, by Lemma 4.
    """

    delta: float
    weak_learners: float
    rounds: float
    weight: float
    small_margins: float
    voting_loss: float


@order("Chen, Lin and Lu 2014, condition (1), Lemmas 2 to 4, Theorem 1")
def banditboost(
    labels: Labels,
    advantage: Annotated[float, Real("(0, 0.5)"), "advantage of the weak learners, gamma"],
    error: Annotated[float, Real("(0, 1)"), "error rate to be reached"],
) -> Boosted:
    """What BanditBoost needs for a given error: delta, weak learners, rounds, total weight.

    The total weight is that of a weak learner's examples from which on condition (1)
    requires its advantage. In this number of rounds, the margins below theta of
    Lemma 2's average are at most 2 delta K T, and the loss of the voting weights is of order
    delta K T (Lemma 4).
    """
    delta = error * advantage / labels
    learners = labels / (delta**2 * advantage**2)
    rounds = labels**2 / delta**4 * math.log(labels / delta)
    weight = labels * (labels / delta) / advantage**2
    loss = delta * labels * rounds
    return Boosted(delta, learners, rounds, weight, 2.0 * loss, loss)
