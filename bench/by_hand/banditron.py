"""The Banditron, exploring a share gamma of its rounds."""

from __future__ import annotations

import numpy as np

from bench.by_hand.common import argmax, by_hand, draw


@by_hand
def loop(
    starts, indices, values, truths, first, missed, weights, ties_key, labels_key, gamma
):  # fmt: skip
    scores = np.empty(weights.shape[1])
    for r in range(len(truths)):
        scores[:] = 0.0
        for e in range(starts[r], starts[r + 1]):
            j, value = indices[e], values[e]
            for k in range(len(scores)):
                scores[k] += value * weights[j, k]
        greedy = argmax(scores, ties_key, first + r)
        each = gamma / len(scores)
        u, total, label = draw(labels_key, first + r), 0.0, 0
        for label in range(len(scores)):  # ends with the one on which u falls
            total += each + (1.0 - gamma) if label == greedy else each
            if u < total:
                break
        missed[r] = label != truths[r]
        step = -1.0
        if not missed[r]:
            if label == greedy:
                step += 1.0 / (each + (1.0 - gamma))
            else:
                for e in range(starts[r], starts[r + 1]):
                    weights[indices[e], label] += values[e] / each
        for e in range(starts[r], starts[r + 1]):
            weights[indices[e], greedy] += step * values[e]


def own(player):
    keys = player.keys
    return player.learner.weights, keys.ties, keys.labels, player.explorer.gamma
