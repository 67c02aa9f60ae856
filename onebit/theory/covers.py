"""Theorems 7 and 8: halving on a cover of the linear separators, also of projected rows."""

from __future__ import annotations

import math
from typing import NamedTuple

from onebit.errors import BadParameter
from onebit.theory.terms import Complexity, Delta, Features, Labels, Rounds
from onebit.theory.theorem import bound, order

#: The spacing of the grid cover, times sqrt(d). At 1 two labels could tie after rounding.
SPACING = 0.99


@bound("Kakade et al. 2008, Theorem 7, with the cover counted")
def cover_halving(labels: Labels, features: Features, complexity: Complexity) -> float:
    """Mistakes of bandit Halving on a grid cover of the linear class, at margin 1."""
    per_coordinate = 2 * cover_points(features, complexity) + 1
    return labels * labels * features * math.log(per_coordinate)


def cover_points(features: int, complexity: float) -> int:
    """Return the number of grid points on either side of zero on each axis of the cover.

    A coordinate of W is at most sqrt(D / 2); rounding to a spacing below 1/sqrt(d) changes
    each label's score by less than 1/2, so the nearest grid point separates rows that W
    separates at margin 1.

    Parameters
    ----------
    features : int
        Number of features, d.
    complexity : float
        Complexity of the comparator, D = 2 ||W||^2.

    Returns
    -------
    int
        The number of grid points.

    Examples
    --------
    >>> cover_points(2, 50)
    7
    """
    return math.floor(math.sqrt(complexity / 2) * math.sqrt(features) / SPACING + 0.5)


class Order(NamedTuple):
    """The order of the mistakes.

    Attributes
    ----------
    order : float
        The order of the mistakes.
    """

    order: float


class Projected(NamedTuple):
    """The orders of the dimension of a projection and of the mistakes.

    Attributes
    ----------
    dimension : float
        The order of the dimension.
    order : float
        The order of the mistakes.
    """

    dimension: float
    order: float


class Projection(NamedTuple):
    """A projection that keeps margins, and the complexity of the projected rows.

    Attributes
    ----------
    dimension : int
        The dimension.
    complexity : float
        The complexity of weights that separate the projected rows at margin 1.
    """

    dimension: int
    complexity: float


def projection(labels: int, rounds: int, complexity: float, delta: float) -> Projection:
    """Return a projection by random signs that keeps half of a margin, with its constants.

    By Arriaga and Vempala (2006), Corollary 2, an inner product of vectors of norm 1 changes by
    c or more with probability at most 4 exp(-(c^2 - c^3) d' / 4). The difference of two labels'
    weights has norm at most sqrt(D), so c = 1 / (2 sqrt(D)) keeps a margin of 1/2 on all rows.
    At this d' squared norms grow by half at most, so that rows scaled to norm 1 and weights scaled
    to margin 1 have complexity 9 D. All hold with probability 1 - delta.

    Parameters
    ----------
    labels : int
        Number of labels, K.
    rounds : int
        Number of rounds, T.
    complexity : float
        Complexity of the comparator, D = 2 ||W||^2, at least 1.
    delta : float
        Probability with which the projection may fail.

    Returns
    -------
    Projection
        The dimension and the new complexity.

    Raises
    ------
    BadInput
        If the complexity is below 1: no weights then have margin 1 on rows of norm 1.

    Examples
    --------
    >>> projection(2, 1000, 2.0, 0.1)
    Projection(dimension=559, complexity=18.0)
    """
    if complexity < 1.0:
        raise BadParameter(
            f"projection: complexity must be at least 1 for a margin of 1, got {complexity:g}."
        )
    c = 1.0 / (2.0 * math.sqrt(complexity))
    log = math.log(4.0 * labels * (rounds + 1.0) / delta)
    return Projection(math.ceil(4.0 * log / (c * c - c * c * c)), 9.0 * complexity)


@bound("Kakade et al. 2008, Theorem 8, with the cover counted and constants of ours")
def projected_halving(
    labels: Labels, rounds: Rounds, features: Features, complexity: Complexity, delta: Delta
) -> float:
    """Mistakes of bandit Halving after a projection, at margin 1, with probability 1 - delta.

    Rows that are not wider than the dimension of the projection are not projected.
    """
    dimension, new_complexity = projection(labels, rounds, complexity, delta)
    if features <= dimension:
        return float(cover_halving(labels=labels, features=features, complexity=complexity))
    return float(cover_halving(labels=labels, features=dimension, complexity=new_complexity))


@order("Kakade et al. 2008, Theorem 7")
def theorem_7(labels: Labels, features: Features, complexity: Complexity) -> Order:
    """Mistakes of Halving on a cover: k^2 d ln(D d)."""
    if complexity * features <= 1:
        raise BadParameter("theorem-7: complexity times features must be more than 1.")
    return Order(labels**2 * features * math.log(complexity * features))


@order("Kakade et al. 2008, Theorem 8")
def theorem_8(labels: Labels, rounds: Rounds, complexity: Complexity, delta: Delta) -> Projected:
    """Halving on a cover after a random projection, with probability 1 - delta."""
    log = math.log((rounds + labels) / delta)
    if complexity < 1:
        raise BadParameter(f"theorem-8: complexity must be at least 1, got {complexity:g}.")
    mistakes = labels**2 * complexity * log * (math.log(complexity) + math.log(log))
    return Projected(complexity * log, mistakes)
