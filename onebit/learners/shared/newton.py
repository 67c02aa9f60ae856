"""What Newtron and PNewtron share: their scores, and the gradient of a round."""

from __future__ import annotations

import math

from onebit.kernel.round import Played
from onebit.kernel.rows import Floats
from onebit.kernel.verbs import kernel
from onebit.learners.shared.softmax_steps import to_probabilities


@kernel
def shrink_to_ball(squared_length: float, radius: float) -> float:
    """Return the factor that projects weights of this length onto a ball."""
    return min(1.0, radius / math.sqrt(squared_length)) if squared_length > 0.0 else 1.0


@kernel
def to_play(out: Floats, margins: Floats, factor: float) -> None:
    """Copy the products with the row to margins; replace them by the softmax of factor times it."""
    for k in range(out.shape[0]):
        margins[k] = out[k]
        out[k] *= factor
    to_probabilities(out)


@kernel
def set_slopes(p: float, played: Played, correct: bool, out: Floats) -> float:
    """Set out to the factors g of the gradient G = g (outer) x, and return kappa.

    p is the probability of the played label before it was mixed with uniform play.
    """
    labels = out.shape[0]
    size = (1.0 - p) / played.prob if correct else -p / played.prob
    for k in range(labels):
        out[k] = size / labels
    out[played.label] = size * (1.0 / labels - 1.0)
    return played.prob if correct else 1.0


@kernel
def inner(one: Floats, two: Floats) -> float:
    """Return the inner product of two arrays."""
    total = 0.0
    for k in range(one.shape[0]):
        total += one[k] * two[k]
    return total
