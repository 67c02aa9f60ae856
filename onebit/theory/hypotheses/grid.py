"""Grid: all linear separators with weights on a grid."""

from __future__ import annotations

import itertools
import math
from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.sizes import Sizes
from onebit.naming.params import Real, Whole
from onebit.theory.hypotheses import MAX_HYPOTHESES, MAX_NUMBERS, hypothesis_class, too_many_error
from onebit.theory.hypotheses.linear import LinearHypotheses

__all__ = ["Grid"]


@hypothesis_class()
class Grid(NamedTuple):
    """All linear separators with weights among 0, ±step, ... ±steps step.

    There are (2 steps + 1)^(d K) of them for d features and K labels, which is feasible for
    two or three features.

    Reference: Kakade, Shalev-Shwartz and Tewari, ICML 2008, Theorem 7 (the learner
    `cover-halving` implements it).

    Parameters
    ----------
    steps : int, default 1
        The number of steps on each side of 0.
    step : float, default 1.0
        The distance of two weights.

    Examples
    --------
    >>> from onebit import Agent
    >>> agent = Agent("weighted-majority", labels=["a", "b"], hypotheses=Grid(), features=2)
    >>> agent.learn(agent.decide([0.5, 1]), truth="b")
    >>> agent.features
    81
    """

    steps: Annotated[int, Whole(1), "number of steps on each side of 0"] = 1
    step: Annotated[float, Real("(0, 1e100]"), "distance of two weights"] = 1.0

    def for_sizes(self, sizes: Sizes) -> LinearHypotheses:
        """Return the hypotheses for rows of a width.

        Parameters
        ----------
        sizes : Sizes
            The numbers of features and labels.

        Returns
        -------
        LinearHypotheses
            The hypotheses, for `advise`.

        Raises
        ------
        BadParameter
            If there are too many.
        """
        numbers = sizes.features * sizes.labels
        power = numbers * math.log10(2 * self.steps + 1)
        if power > 100:  # too large even to be computed
            raise too_many_error(self, f"about 1e{math.floor(power)}")
        size = (2 * self.steps + 1) ** numbers
        if size > MAX_HYPOTHESES or size * numbers > MAX_NUMBERS:
            raise too_many_error(self, size)
        values = [self.step * i for i in range(-self.steps, self.steps + 1)]
        weights = np.array(list(itertools.product(values, repeat=numbers)))
        shaped = weights.reshape(size, sizes.features, sizes.labels)
        return LinearHypotheses(size, shaped, np.empty(sizes.labels))
