"""Thresholds: thresholds on one feature."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from onebit.errors import BadParameter
from onebit.kernel.rows import Floats, Row, value
from onebit.kernel.sizes import Sizes
from onebit.kernel.verbs import implements
from onebit.naming.params import Real, Whole
from onebit.theory.hypotheses import (
    MAX_HYPOTHESES,
    advise,
    hypothesis_class,
    too_many_error,
)

__all__ = ["Thresholds"]


def spaced_thresholds(who: str, low: float, high: float, n: int) -> Floats:
    """Return n values that divide an interval into equal parts."""
    if not low < high:
        raise BadParameter(f"{who}: low must be less than high, got {low:g} and {high:g}.")
    return np.array([low + (high - low) * (i + 1) / (n + 1) for i in range(n)])


@hypothesis_class()
class Thresholds(NamedTuple):
    """Thresholds on one feature: the second label at or above the threshold, else the first.

    Reference: the textbook class of Littlestone dimension log2 n; see "Learning
    quickly when irrelevant attributes abound", Machine Learning 2 (1988).

    Parameters
    ----------
    n : int, default 9
        The number of thresholds; they divide the interval into equal parts.
    low, high : float, default 0.0 and 1.0
        The interval of the thresholds.
    feature : int, default 0
        The index of the feature.

    Examples
    --------
    >>> from onebit import Agent
    >>> agent = Agent("halving", labels=["cold", "hot"], hypotheses=Thresholds(n=7))
    >>> agent.learn(agent.decide([0.5]), truth="hot")
    >>> agent.predict([0.6]), agent.predict([0.1])
    ('hot', 'cold')
    """

    n: Annotated[int, Whole(1), "number of thresholds"] = 9
    low: Annotated[float, Real("[-1e100, 1e100]"), "lower end of the interval of thresholds"] = 0.0
    high: Annotated[float, Real("[-1e100, 1e100]"), "upper end of the interval of thresholds"] = 1.0
    feature: Annotated[int, Whole(0), "index of the feature, from 0"] = 0

    def for_sizes(self, sizes: Sizes) -> ThresholdHypotheses:
        """Return the hypotheses for rows of a width.

        Parameters
        ----------
        sizes : Sizes
            The numbers of features and labels.

        Returns
        -------
        ThresholdHypotheses
            The hypotheses, for `advise`.

        Raises
        ------
        BadParameter
            If there are too many, low is not below high, or there is no such feature.
        """
        if self.feature >= sizes.features:
            raise BadParameter(
                f"Thresholds: feature must be less than the row's {sizes.features} features,"
                f" got {self.feature}."
            )
        if self.n > MAX_HYPOTHESES:
            raise too_many_error(self, self.n)
        thresholds = spaced_thresholds("Thresholds", self.low, self.high, self.n)
        return ThresholdHypotheses(self.n, thresholds, self.feature)


class ThresholdHypotheses(NamedTuple):
    """Thresholds, and the feature that is compared."""

    size: int
    thresholds: Floats
    feature: int


@implements(advise, ThresholdHypotheses)
def _(hypotheses: ThresholdHypotheses, x: Row, out: Floats) -> None:
    number = value(x, hypotheses.feature)
    for i in range(out.shape[0]):
        out[i] = 1.0 if number >= hypotheses.thresholds[i] else 0.0
