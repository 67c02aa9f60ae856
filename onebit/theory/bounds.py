"""Mistake and regret bounds as functions that check the conditions of their theorems.

A function marked with `@bound` returns an upper bound (always, in expectation, or with a
stated probability: its docstring says which). A function marked with `@order` returns
quantities that a theorem gives only up to a constant, O(...): they show how things scale, and
are not bounds. All take keyword arguments only; `find` and `theorems` give access by name.

    >>> banditron(labels=9, rounds=10**6, gamma=2**-6, complexity=81, loss=0)
    155593.0
"""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

from onebit.errors import BadParameter
from onebit.naming.params import Auto, Real, Whole
from onebit.theory.boosting import (
    Boosted,
    banditboost,
    boosting_claim_1,
    boosting_claim_2,
    boosting_lemma_1,
    boosting_lemma_2,
    boosting_lemma_3,
    boosting_lemma_4,
    boosting_theorem_1,
)
from onebit.theory.covers import (
    Order,
    Projected,
    Projection,
    cover_halving,
    cover_points,
    projected_halving,
    projection,
    theorem_7,
    theorem_8,
)
from onebit.theory.terms import (
    Complexity,
    Delta,
    Features,
    Gamma,
    Labels,
    Loss,
    Margin,
    Radius,
    Rounds,
    Size,
)
from onebit.theory.theorem import Theorem, bound, find, order, theorems

__all__ = [
    "Boosted", "Order", "Projected", "Projection", "Theorem", "Tuned", "bandit_halving",
    "bandit_halving_tight", "banditboost", "banditron", "boosting_claim_1", "boosting_claim_2",
    "boosting_lemma_1", "boosting_lemma_2", "boosting_lemma_3", "boosting_lemma_4",
    "boosting_theorem_1", "consistent", "corollary_2", "corollary_3",
    "cover_halving", "cover_points", "exp3", "exp3ix", "exp3p", "exp4", "find", "halving",
    "lemma_5", "novikoff", "perceptron", "projected_halving", "projection", "separable", "soa",
    "soba", "theorem_7", "theorem_8", "theorems", "weighted_majority", "winnow",
]  # fmt: skip

# Full information


@bound("Kakade et al. 2008, equation 7 (proof in Fink et al. 2006)")
def perceptron(loss: Loss, complexity: Complexity) -> float:
    """Mistakes of the multiclass perceptron on rows of norm at most 1."""
    return loss + complexity + math.sqrt(loss * complexity)


@bound("Novikoff 1962; Dekel's lecture, Theorem 2; Hanawal's lecture, Theorem 13.1")
def novikoff(
    radius: Radius,
    margin: Margin,
    norm: Annotated[float, Real("(0, inf)"), "Euclidean norm of the comparator"] = 1.0,
) -> float:
    """Mistakes of the binary perceptron on separable rows; norms are Euclidean."""
    if margin > radius * norm:
        most = radius * norm
        raise BadParameter(
            f"novikoff: margin must be at most radius times norm, {most:g}, got {margin:g}."
        )
    return (radius * norm / margin) ** 2


@bound("Littlestone 1988; Hanawal's lecture, Theorem 13.2, corrected")
def winnow(
    features: Features,
    radius: Annotated[float, Real("(0, inf)"), "largest absolute value in a row, R"],
    margin: Annotated[float, Real("(0, inf)"), "margin over the 1-norm of the comparator, rho"],
    eta: Annotated[Any, Auto(Real("(0, inf)")), "step size; auto is the optimal one"] = "auto",
) -> float:
    """Mistakes of Winnow with normalised weights, for a nonnegative comparator."""
    if margin > radius:
        raise BadParameter(f"winnow: margin must be at most the radius {radius:g}, got {margin:g}.")
    if eta == "auto" and margin == radius:
        return math.log2(features)  # the limit for eta to infinity
    if eta == "auto":
        eta = math.log((radius + margin) / (radius - margin)) / (2 * radius)
    size = eta * radius
    gain = eta * margin - (size + math.log1p(math.exp(-2.0 * size)) - math.log(2.0))  # ln cosh
    if gain <= 0:
        raise BadParameter(
            f"winnow: eta {eta:g} is too large for the margin, the bound is infinite."
        )
    return float(math.log(features) / gain)


@bound("Hanawal's lecture, recapitulation")
def consistent(size: Size) -> float:
    """Mistakes of Consistent on a class with a perfect hypothesis."""
    return size - 1.0


@bound("Dekel's lecture, Theorem 1; Hanawal's lecture, recapitulation")
def halving(size: Size) -> float:
    """Mistakes of Halving on a class with a perfect hypothesis."""
    return math.log2(size)


@bound("Littlestone 1988; Hanawal's lecture, recapitulation")
def soa(
    dimension: Annotated[int, Whole(0), "Littlestone dimension of the class"],
) -> float:
    """Mistakes of the standard optimal algorithm on a class with a perfect hypothesis."""
    return float(dimension)


@bound("Hanawal's lecture, recapitulation", about="regret")
def weighted_majority(size: Size, rounds: Rounds) -> float:
    """Expected regret of randomised Weighted Majority with eta = sqrt(2 ln N / T)."""
    return math.sqrt(2 * rounds * math.log(size))


# One bit


@bound("Kakade et al. 2008, Theorem 1")
def banditron(
    labels: Labels, rounds: Rounds, gamma: Gamma, complexity: Complexity, loss: Loss = 0.0
) -> float:
    """Expected mistakes of the Banditron on rows of norm at most 1."""
    explored = max(labels * complexity / gamma, math.sqrt(complexity * gamma * rounds))
    return loss + gamma * rounds + 3 * explored + math.sqrt(labels * complexity * loss / gamma)


@bound("our derivation by the proof of Kakade et al. 2008, Theorem 1, as their Section 6 suggests")
def label_ranking(
    labels: Labels,
    rounds: Rounds,
    gamma: Annotated[float, Real("(0, 1)"), "share of rounds that swap a label"],
    complexity: Complexity,
    loss: Loss = 0.0,
    r: Annotated[int, Whole(1), "how many labels are shown"] = 2,
) -> float:
    """Expected rounds in which label ranking does not show the one right label.

    Rows have norm at most 1. While the right label is outside the list, it is swapped in with
    probability gamma / (K - r), and the update is then (K - r) / gamma times the row.
    """
    if r >= labels:
        raise BadParameter(f"label-ranking: r must be below the {labels} labels, got {r}.")
    swaps = (labels - r) * complexity / gamma
    return loss + gamma * rounds / r + swaps + math.sqrt(swaps * loss)


@bound("Beygelzimer et al. 2019, Theorem on Algorithm 1 (strong separability)")
def separable(labels: Labels, radius: Radius, margin: Margin) -> float:
    """Expected mistakes of the perceptrons of `separable` on strongly separable rows.

    The weights of all labels together have norm at most 1; on every row that of the right label
    is at least margin / 2, and those of the others are at most -margin / 2.
    """
    if margin > 2 * radius:
        raise BadParameter(
            f"separable: margin must be at most twice the radius, {2 * radius:g}, got {margin:g}."
        )
    return (labels - 1.0) * math.floor(4 * (radius / margin) ** 2)


@bound("Beygelzimer, Orabona and Zhang 2017, Theorem on SOBA, with a = 1 and the log-determinant")
def soba(
    labels: Labels,
    features: Features,
    rounds: Rounds,
    gamma: Annotated[float, Real("(0, 1)"), "share of rounds that explore"],
    squared_norm: Annotated[float, Real("[0, inf)"), "squared norm of the comparator, ||U||^2"],
    largest_norm: Annotated[float, Real("[0, inf)"), "largest norm of a label's weights in U"],
    eta: Annotated[float, Real("(0, 1]"), "which loss of the family: 0 hinge, 1 squared hinge"],
    loss: Annotated[float, Real("[0, inf)"), "total loss L_eta of the comparator"] = 0.0,
    radius: Radius = 1.0,
) -> float:
    """Expected mistakes of SOBA with its whole matrix.

    The loss of a margin m below 1 is 1 - (2 m - eta m^2) / (2 - eta), and 0 from 1 on. eta must be
    at most 1 / (2 largest_norm radius).
    """
    if eta * 2 * largest_norm * radius > 1 + 1e-12:
        most = 1 / (2 * largest_norm * radius)
        raise BadParameter(f"soba: eta must be at most {most:g} for this comparator, got {eta:g}.")
    size = labels * features
    spread = size * math.log1p(2 * radius**2 * rounds / size)
    second = labels / (gamma * eta * (2 - eta)) * spread
    return loss + eta / (2 - eta) * squared_norm + second + gamma * rounds


@bound("Kakade et al. 2008, Lemma 5", about="a squared norm")
def lemma_5(
    labels: Labels,
    gamma: Gamma,
    hit: Annotated[int, Whole(0, 1), "1 if the greedy label is right, else 0"],
    norm: Annotated[float, Real("[0, inf)"), "Euclidean norm of the row"] = 1.0,
) -> float:
    """Expected squared norm of the Banditron's update."""
    return 2 * norm**2 * (gamma if hit else labels / gamma)


@bound("Kakade et al. 2008, Lemma 6")
def bandit_halving(labels: Labels, size: Size) -> float:
    """Mistakes of bandit Halving on a class with a perfect hypothesis."""
    return labels * math.log(size)


@bound("Kakade et al. 2008, proof of Lemma 6, without its last inequality")
def bandit_halving_tight(labels: Labels, size: Size) -> float:
    """Mistakes of bandit Halving on a class with a perfect hypothesis, slightly tighter."""
    return math.log(size) / -math.log1p(-1 / labels)


@bound("Auer et al. 2002; Hanawal's lecture, recapitulation", about="regret")
def exp3(labels: Labels, rounds: Rounds) -> float:
    """Pseudo-regret of Exp3 with eta = sqrt(2 ln K / (K T))."""
    return math.sqrt(2 * labels * rounds * math.log(labels))


@bound(
    "Bubeck and Cesa-Bianchi 2012, Theorem 3.2; Hanawal's lecture, recapitulation", about="regret"
)
def exp3p(labels: Labels, rounds: Rounds, delta: Delta) -> float:
    """Regret of Exp3.P, with probability 1 - delta."""
    return 5.15 * math.sqrt(rounds * labels * math.log(labels / delta))


@bound("Neu 2015; Hanawal's lecture, recapitulation", about="regret")
def exp3ix(labels: Labels, rounds: Rounds, delta: Delta) -> float:
    """Regret of Exp3-IX, with probability 1 - delta."""
    log = math.log(labels)
    first = 2 * math.sqrt(2 * labels * rounds * log)
    return first + (math.sqrt(2 * labels * rounds / log) + 1) * math.log(2 / delta)


@bound("Auer et al. 2002", about="regret")
def exp4(labels: Labels, size: Size, rounds: Rounds) -> float:
    """Pseudo-regret of Exp4 against the best hypothesis, with eta = sqrt(2 ln N / (K T))."""
    return math.sqrt(2 * labels * rounds * math.log(size))


# Up to a constant


class Tuned(NamedTuple):
    """An exploration rate, and the order of the mistakes with it.

    Attributes
    ----------
    gamma : float
        The exploration rate.
    order : float
        The order of the mistakes.
    """

    gamma: float
    order: float


@order("Kakade et al. 2008, Corollary 2")
def corollary_2(labels: Labels, rounds: Rounds, complexity: Complexity) -> Tuned:
    """The Banditron with little noise, L <= O(sqrt(D K T)): needs T > 4 K D."""
    if rounds <= 4 * labels * complexity:
        raise BadParameter(
            f"corollary-2: rounds must be more than 4 K D = {4 * labels * complexity:g},"
            f" so that gamma is below 1/2, got {rounds}."
        )
    return Tuned(math.sqrt(labels * complexity / rounds), math.sqrt(labels * complexity * rounds))


@order("Kakade et al. 2008, Corollary 3, with its hidden 1/rho")
def corollary_3(
    labels: Labels,
    rounds: Rounds,
    complexity: Complexity,
    noise: Annotated[float, Real("(0, 1)"), "average hinge loss of the comparator, rho"],
) -> Tuned:
    """The Banditron with noise, L <= rho T: mistakes beyond L."""
    gamma = (noise * labels * complexity / (4 * rounds)) ** (1 / 3)
    if gamma > 0.5:
        raise BadParameter(
            f"corollary-3: rounds must be more, gamma would be {gamma:g}, above 1/2."
        )
    extra = gamma * rounds
    if gamma > 0:
        extra += math.sqrt(labels * complexity * noise * rounds / gamma)
    return Tuned(gamma, extra)
