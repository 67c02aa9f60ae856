"""C-OVA: perceptrons, of which every label's learns from a hit."""

from __future__ import annotations

import numpy as np

from bench.by_hand.common import argmax, by_hand


@by_hand
def loop(starts, indices, values, truths, first, missed, weights, ties_key):
    labels = weights.shape[1]
    scores = np.empty(labels)
    for r in range(len(truths)):
        scores[:] = 0.0
        for e in range(starts[r], starts[r + 1]):
            j, value = indices[e], values[e]
            for k in range(labels):
                scores[k] += value * weights[j, k]
        label = argmax(scores, ties_key, first + r)
        missed[r] = label != truths[r]
        for k in range(labels):
            if k == label:
                y = -1.0 if missed[r] else 1.0
            elif missed[r]:
                continue
            else:
                y = -1.0
            if y * scores[k] <= 0.0:
                for e in range(starts[r], starts[r + 1]):
                    weights[indices[e], k] += y * values[e]


def own(player):
    return player.learner.base.weights, player.keys.ties
