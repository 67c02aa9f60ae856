"""Stumps: all decision stumps on one feature."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.rows import Floats, Row
from onebit.kernel.sizes import Sizes
from onebit.kernel.verbs import implements
from onebit.naming.params import Real, Whole
from onebit.theory.hypotheses import (
    MAX_HYPOTHESES,
    advise,
    copy_dense,
    hypothesis_class,
    too_many_error,
)
from onebit.theory.hypotheses.thresholds import spaced_thresholds

__all__ = ["Stumps"]


@hypothesis_class()
class Stumps(NamedTuple):
    """All decision stumps: each feature, n thresholds, and two different labels below and above.

    There are d n K (K - 1) of them for d features and K labels. The default, one
    threshold at 1/2, is for features that are 0 or 1.

    Reference: W. Iba and P. Langley, "Induction of one-level decision trees", ICML 1992.

    Parameters
    ----------
    n : int, default 1
        The number of thresholds for each feature; they divide the interval into equal parts.
    low, high : float, default 0.0 and 1.0
        The interval of the thresholds.

    Examples
    --------
    >>> from onebit import Agent
    >>> agent = Agent("exp4", labels=["a", "b"], hypotheses=Stumps(), features=3)
    >>> agent.learn(agent.decide([1, 0, 1]), correct=True)
    >>> agent.features
    6
    """

    n: Annotated[int, Whole(1), "number of thresholds for each feature"] = 1
    low: Annotated[float, Real("[-1e100, 1e100]"), "lower end of the interval of thresholds"] = 0.0
    high: Annotated[float, Real("[-1e100, 1e100]"), "upper end of the interval of thresholds"] = 1.0

    def for_sizes(self, sizes: Sizes) -> StumpHypotheses:
        """Return the hypotheses for rows of a width.

        Parameters
        ----------
        sizes : Sizes
            The numbers of features and labels.

        Returns
        -------
        StumpHypotheses
            The hypotheses, for `advise`.

        Raises
        ------
        BadParameter
            If there are too many, or if low is not below high.
        """
        size = sizes.features * self.n * sizes.labels * (sizes.labels - 1)
        if size > MAX_HYPOTHESES:
            raise too_many_error(self, size)
        thresholds = spaced_thresholds("Stumps", self.low, self.high, self.n)
        labels = range(sizes.labels)
        pairs = np.array([[a, b] for a in labels for b in labels if a != b], np.float64)
        return StumpHypotheses(size, thresholds, pairs, np.empty(sizes.features))


class StumpHypotheses(NamedTuple):
    """Thresholds, pairs of labels (below, at or above), and a buffer for a row."""

    size: int
    thresholds: Floats
    pairs: Floats
    dense_row: Floats


@implements(advise, StumpHypotheses)
def _(hypotheses: StumpHypotheses, x: Row, out: Floats) -> None:
    copy_dense(x, hypotheses.dense_row)
    i = 0
    for j in range(hypotheses.dense_row.shape[0]):
        for t in range(hypotheses.thresholds.shape[0]):
            side = 1 if hypotheses.dense_row[j] >= hypotheses.thresholds[t] else 0
            for p in range(hypotheses.pairs.shape[0]):
                out[i] = hypotheses.pairs[p, side]
                i += 1
