"""Diagonal AROW for each label, greedy."""

from __future__ import annotations

import numpy as np

from bench.by_hand.common import argmax, by_hand


@by_hand
def loop(
    starts, indices, values, truths, first, missed, weights, variances, ties_key, rate
):  # fmt: skip
    scores = np.empty(weights.shape[1])
    for r in range(len(truths)):
        scores[:] = 0.0
        for e in range(starts[r], starts[r + 1]):
            j, value = indices[e], values[e]
            for k in range(len(scores)):
                scores[k] += value * weights[j, k]
        a = argmax(scores, ties_key, first + r)
        missed[r] = a != truths[r]
        y = -1.0 if missed[r] else 1.0
        margin = y * scores[a]
        if margin < 1.0:
            v = 0.0
            for e in range(starts[r], starts[r + 1]):
                v += values[e] * values[e] * variances[indices[e], a]
            beta = 1.0 / (v + rate)
            alpha = (1.0 - margin) * beta * y
            for e in range(starts[r], starts[r + 1]):
                j = indices[e]
                spread = variances[j, a] * values[e]
                weights[j, a] += alpha * spread
                variances[j, a] = max(variances[j, a] - beta * spread * spread, 0.0)


def own(player):
    learner = player.learner
    return learner.weights, learner.variances, player.keys.ties, learner.rate
