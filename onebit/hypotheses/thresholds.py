"""Thresholds: whether one feature's value is high enough."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from onebit.errors import BadInput
from onebit.hypotheses import MAX_HYPOTHESES, advise, copy_dense, hypothesis_class, too_many_error
from onebit.kernel.rows import Floats, Row
from onebit.kernel.state import Sizes
from onebit.kernel.verbs import implements
from onebit.naming.params import Real, Whole


def spaced_thresholds(who: str, low: float, high: float, n: int) -> Floats:
    """Return n values that cut an interval into equal parts."""
    if not low < high:
        raise BadInput(f"{who}: low must be less than high, got {low:g} and {high:g}.")
    return np.array([low + (high - low) * (i + 1) / (n + 1) for i in range(n)])


@hypothesis_class()
class Thresholds(NamedTuple):
    """One feature against n thresholds: the second label from the threshold on, else the first.

    Reference: the textbook class of Littlestone dimension log2 n; see "Learning
    quickly when irrelevant attributes abound", Machine Learning 2 (1988).

    >>> from onebit import Agent
    >>> agent = Agent("halving", labels=["cold", "hot"], hypotheses=Thresholds(n=7))
    >>> agent.learn(agent.decide([0.5]), truth="hot")
    >>> agent.predict([0.6]), agent.predict([0.1])
    ('hot', 'cold')
    """

    n: Annotated[int, Whole(1), "how many thresholds"] = 9
    low: Annotated[float, Real("[-1e100, 1e100]"), "where the thresholds begin"] = 0.0
    high: Annotated[float, Real("[-1e100, 1e100]"), "where the thresholds end"] = 1.0
    feature: Annotated[int, Whole(0), "the feature that is looked at, from 0 on"] = 0

    def for_sizes(self, sizes: Sizes) -> ThresholdHypotheses:
        """Return the thresholds for rows of a width."""
        if self.feature >= sizes.features:
            raise BadInput(
                f"Thresholds: feature must be less than the row's {sizes.features} features,"
                f" got {self.feature}."
            )
        if self.n > MAX_HYPOTHESES:
            raise too_many_error(self, self.n)
        thresholds = spaced_thresholds("Thresholds", self.low, self.high, self.n)
        return ThresholdHypotheses(self.n, thresholds, self.feature, np.empty(sizes.features))


class ThresholdHypotheses(NamedTuple):
    """Thresholds, and room for a row."""

    size: int
    thresholds: Floats
    feature: int
    dense_row: Floats


@implements(advise, ThresholdHypotheses)
def _(hypotheses: ThresholdHypotheses, x: Row, out: Floats) -> None:
    copy_dense(x, hypotheses.dense_row)
    value = hypotheses.dense_row[hypotheses.feature]
    for i in range(out.shape[0]):
        out[i] = 1.0 if value >= hypotheses.thresholds[i] else 0.0
