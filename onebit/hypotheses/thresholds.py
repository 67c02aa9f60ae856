"""Thresholds: whether one feature's value is high enough."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from onebit.errors import BadInput
from onebit.hypotheses import MOST, advise, hypothesis_class, spread, too_many
from onebit.kernel.rows import Floats, Row
from onebit.kernel.state import Sizes
from onebit.kernel.verbs import implements
from onebit.naming.params import Real, Whole


def cuts_between(who: str, low: float, high: float, n: int) -> Floats:
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

    def over(self, sizes: Sizes) -> ThresholdsOver:
        """Return the thresholds for rows of a width."""
        if self.feature >= sizes.features:
            raise BadInput(
                f"Thresholds: feature must be less than the row's {sizes.features} features,"
                f" got {self.feature}."
            )
        if self.n > MOST:
            raise too_many(self, self.n)
        cuts = cuts_between("Thresholds", self.low, self.high, self.n)
        return ThresholdsOver(self.n, cuts, self.feature, np.empty(sizes.features))


class ThresholdsOver(NamedTuple):
    """Thresholds, and room for a row."""

    size: int
    cuts: Floats
    feature: int
    row: Floats


@implements(advise, ThresholdsOver)
def _(hypotheses: ThresholdsOver, x: Row, out: Floats) -> None:
    spread(x, hypotheses.row)
    value = hypotheses.row[hypotheses.feature]
    for i in range(out.shape[0]):
        out[i] = 1.0 if value >= hypotheses.cuts[i] else 0.0
