"""The second-order Banditron with a diagonal matrix."""

from __future__ import annotations

import math

import numpy as np

from bench.by_hand.common import argmax, by_hand, draw


@by_hand
def loop(
    starts, indices, values, truths, first, missed, weights, sums, curvature, margin_sum,
    ties_key, labels_key, gamma,
):  # fmt: skip
    labels = weights.shape[1]
    scores = np.empty(labels)
    for r in range(len(truths)):
        scores[:] = 0.0
        for e in range(starts[r], starts[r + 1]):
            j, value = indices[e], values[e]
            for k in range(labels):
                scores[k] += value * weights[j, k]
        greedy = argmax(scores, ties_key, first + r)
        each = gamma / labels
        u, total, a = draw(labels_key, first + r), 0.0, 0
        for a in range(labels):  # ends with the one on which u falls
            total += each + (1.0 - gamma) if a == greedy else each
            if u < total:
                break
        missed[r] = a != truths[r]
        if missed[r]:
            continue
        p = each + (1.0 - gamma) if a == greedy else each
        rival = 1 if a == 0 else 0
        for k in range(rival + 1, labels):
            if k != a and scores[k] > scores[rival]:
                rival = k
        spread = 0.0
        for e in range(starts[r], starts[r + 1]):
            j, square = indices[e], values[e] * values[e]
            spread += square / curvature[j, a] + square / curvature[j, rival]
        loss = scores[rival] - scores[a]
        product = loss / math.sqrt(p)
        m = (product * product + 2.0 * loss / p) / (1.0 + spread / p)
        if margin_sum[0] + m >= 0.0:
            margin_sum[0] += m
            for e in range(starts[r], starts[r + 1]):
                j, value = indices[e], values[e]
                sums[j, a] += value / p
                curvature[j, a] += value * value / p
                weights[j, a] = sums[j, a] / curvature[j, a]
                sums[j, rival] -= value / p
                curvature[j, rival] += value * value / p
                weights[j, rival] = sums[j, rival] / curvature[j, rival]


def own(player):
    learner, keys = player.learner, player.keys
    arrays = learner.weights, learner.sums, learner.curvature, learner.margin_sum
    return *arrays, keys.ties, keys.labels, player.explorer.gamma
