"""Theorems on boosting from one bit, with constants where the paper or its proof gives them."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from onebit.naming.params import Real, Whole
from onebit.theory.terms import Labels, Rounds
from onebit.theory.theorem import bound, order

Advantage = Annotated[float, Real("(0, 0.5)"), "advantage of the weak learners, gamma"]
Explored = Annotated[float, Real("(0, 1)"), "share of rounds that explore, delta"]
Copies = Annotated[int, Whole(1), "weak learners for each label, N"]


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


# With constants: an example's weight is at most B = K / delta, since prob >= delta / K.


@bound("Chen, Lin and Lu 2014, Lemma 1, with Zinkevich 2003", about="regret")
def boosting_lemma_1(
    squares: Annotated[float, Real("[0, inf)"), "sum of squared weights of all examples"],
    labels: Annotated[int, Whole(1), "number of labels, K"] = 1,
) -> float:
    """Weighted regret of `ogd` against the best linear hypothesis of norm 1 for each label.

    Steps w_t / sqrt(sum of squares so far) and a ball of diameter 2 give 3 sqrt(squares) for a
    label, so that the constant c of condition (1) is 9.
    """
    return 3.0 * math.sqrt(labels * squares)


@bound("Chen, Lin and Lu 2014, Claim 1, by Azuma's inequality", about="a probability")
def boosting_claim_1(
    labels: Labels,
    rounds: Rounds,
    delta: Explored,
    deviation: Annotated[float, Real("(0, inf)"), "deviation a round, lambda"],
) -> float:
    """Probability that the estimated weights of a label sum to lambda T less than the true ones."""
    return min(1.0, math.exp(-(deviation**2) * rounds * delta**2 / (2.0 * labels**2)))


@bound("Chen, Lin and Lu 2014, Lemma 2", about="margins below theta")
def boosting_lemma_2(labels: Labels, rounds: Rounds, delta: Explored) -> float:
    """Margins below theta of the average of the first m weak learners, with probability 1 - delta.

    By Claim 1 it needs T >= 2 (K^2 / delta^4) ln(K / delta).
    """
    return 2.0 * delta * labels * rounds


@bound("Chen, Lin and Lu 2014, Claim 2, after Servedio 2003, Lemma 5", about="a weighted gain")
def boosting_claim_2(
    labels: Labels, rounds: Rounds, delta: Explored, advantage: Advantage
) -> float:
    """Sum of weight times y h over all weak learners, beyond gamma times the sum of weights.

    For one example it is at most 2 / gamma over all weak learners, in any order of votes (a sum
    of decreasing weights is compared with their integral); times its importance weight, at
    most B, in each round.
    """
    return 2.0 * (labels / delta) * rounds / advantage


@bound("Chen, Lin and Lu 2014, Lemma 3, with the constant of Claim 2", about="weak learners")
def boosting_lemma_3(delta: Explored, advantage: Advantage) -> float:
    """How many weak learners get a mean weight of delta, if all have twice the advantage."""
    return 2.0 / (delta * advantage) ** 2


@bound("Chen, Lin and Lu 2014, Lemma 4, with the constants of its proof", about="a loss")
def boosting_lemma_4(
    labels: Labels, rounds: Rounds, delta: Explored, advantage: Advantage, n: Copies
) -> float:
    """Total hinge loss of the voting weights at eta = delta^3 / K, with probability 1 - 2 delta.

    The regret of equation 6, K ln N / eta + eta T B^2; the deviation of the estimated losses by
    Azuma's inequality, 4 B sqrt(2 T ln(1 / delta)); and the loss of Lemma 2's average.
    """
    theta = advantage / (2.0 + advantage)
    regret = labels**2 * math.log(n) / delta**3 + delta * labels * rounds
    deviation = 4.0 * labels / delta * math.sqrt(2.0 * rounds * math.log(1.0 / delta))
    return regret + deviation + (1.0 + theta) * 2.0 * delta * labels * rounds


@bound("Chen, Lin and Lu 2014, Theorem 1, with the constants of its proof")
def boosting_theorem_1(
    labels: Labels, rounds: Rounds, delta: Explored, advantage: Advantage, n: Copies
) -> float:
    """Mistakes of BanditBoost with probability 1 - 3 delta, if its weak learners are as assumed.

    It needs T >= 2 (K^2 / delta^4) ln(K / delta), and n of Lemma 3.
    """
    theta = advantage / (2.0 + advantage)
    loss = boosting_lemma_4(labels=labels, rounds=rounds, delta=delta, advantage=advantage, n=n)
    return float(loss) / theta + 2.0 * delta * rounds
