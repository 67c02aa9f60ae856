"""The perceptron, with full information."""

from __future__ import annotations

import numpy as np

from bench.by_hand.common import argmax, by_hand


@by_hand
def loop(starts, indices, values, truths, first, missed, weights, ties_key):
    scores = np.empty(weights.shape[1])
    for r in range(len(truths)):
        scores[:] = 0.0
        for e in range(starts[r], starts[r + 1]):
            j, value = indices[e], values[e]
            for k in range(len(scores)):
                scores[k] += value * weights[j, k]
        guess = argmax(scores, ties_key, first + r)
        missed[r] = guess != truths[r]
        if missed[r]:
            for e in range(starts[r], starts[r + 1]):
                weights[indices[e], truths[r]] += values[e]
                weights[indices[e], guess] -= values[e]


def own(player):
    return player.learner.weights, player.keys.ties
