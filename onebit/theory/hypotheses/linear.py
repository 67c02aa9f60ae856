"""Linear: linear hypotheses, given by their weights."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.errors import BadParameter
from onebit.kernel.rng import best
from onebit.kernel.rows import Floats, Row, dot
from onebit.kernel.sizes import Sizes
from onebit.kernel.verbs import implements
from onebit.theory.hypotheses import advise, hypothesis_class

__all__ = ["Linear"]


@hypothesis_class(by_name=False)
class Linear(NamedTuple):
    """Linear hypotheses, given by their weights.

    A hypothesis predicts the label with the highest score, the first if several are equal.

    Reference: Kakade, Shalev-Shwartz and Tewari, ICML 2008, equation 1.

    Parameters
    ----------
    weights : array_like of shape (hypotheses, features, labels)
        The weights; finite numbers.

    Examples
    --------
    >>> from onebit import Agent
    >>> two = Linear([[[1, 0], [0, 1]], [[0, 1], [1, 0]]])
    >>> agent = Agent("bandit-halving", labels=["a", "b"], hypotheses=two)
    >>> agent.learn(agent.decide([1, 0]), correct=True)
    """

    weights: npt.ArrayLike

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
            If the weights have another shape, or are not finite.
        """
        try:
            weights = np.array(self.weights, np.float64, order="C")
        except (TypeError, ValueError):
            weights = np.empty(0)
        wanted = (sizes.features, sizes.labels)
        if weights.shape[1:] != wanted or not len(weights) or not np.isfinite(weights).all():
            raise BadParameter(
                f"Linear: weights must be finite numbers of shape (n, {wanted[0]}, {wanted[1]}),"
                f" got shape {_shape(self.weights)}."
            )
        return LinearHypotheses(len(weights), weights, np.empty(sizes.labels))


class LinearHypotheses(NamedTuple):
    """Weights of hypotheses, and a buffer for the scores of one."""

    size: int
    weights: Floats
    scores: Floats


@implements(advise, LinearHypotheses)
def _(hypotheses: LinearHypotheses, x: Row, out: Floats) -> None:
    for i in range(out.shape[0]):
        dot(x, hypotheses.weights[i], hypotheses.scores)
        out[i] = best(hypotheses.scores, 0.0)


def _shape(value: Any) -> Any:
    try:
        return np.shape(value)
    except ValueError:
        return "none"
