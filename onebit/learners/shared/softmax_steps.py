"""The softmax model: its probabilities, the gradient of one bit's loss, and steps of AdaGrad.

A learner that holds such a model calls, for each row, `dot` and `to_probabilities`, and after the
bit `bit_gradient` and `adagrad_step`.
"""

from __future__ import annotations

import math

import numpy as np

from onebit.kernel.rows import Floats, Row, feature
from onebit.kernel.verbs import kernel

#: The least 1 - p that a gradient divides by.
MIN_REST = 1e-6


@kernel
def to_probabilities(scores: Floats) -> None:
    """Replace scores z by their softmax: exp(z_k) divided by the sum over all labels."""
    highest = scores[0]
    for k in range(1, scores.shape[0]):
        highest = max(highest, scores[k])
    total = 0.0
    for k in range(scores.shape[0]):
        scores[k] = math.exp(scores[k] - highest)
        total += scores[k]
    for k in range(scores.shape[0]):
        scores[k] /= total


@kernel
def bit_gradient(probs: Floats, label: int, correct: bool, out: Floats) -> None:
    """Set out to the gradient, by the scores, of the loss of the bit that was heard.

    The loss is -log p if the played label was right, else -log(1 - p): the partial likelihood.
    """
    share = -1.0 if correct else probs[label] / max(1.0 - probs[label], MIN_REST)
    for k in range(out.shape[0]):
        out[k] = -share * probs[k]
    out[label] = probs[label] - 1.0 if correct else probs[label]


@kernel
def adagrad_step(
    x: Row, gradient: Floats, rate: float, floor: float, weights: Floats, squares: Floats
) -> None:
    """Take a step of AdaGrad: w -= rate g / sqrt(floor + sum of g^2 so far), g = gradient_k x_j.

    It computes in the type of the weights, which the gradient has too.
    """
    number = weights.dtype.type
    own_rate, own_floor = number(rate), number(floor)
    for n in range(x.values.shape[0]):
        value = number(x.values[n])
        if value != 0.0:
            j = feature(x, n)
            for k in range(gradient.shape[0]):
                g = gradient[k] * value
                square = squares[j, k] + g * g
                squares[j, k] = square
                weights[j, k] -= own_rate * g / np.sqrt(square + own_floor)
