"""Logistic regression by the partial likelihood of the bit, with AdaGrad and FastCB."""

from __future__ import annotations

import math

import numpy as np

from bench.by_hand.common import argmax, by_hand, draw


@by_hand
def loop(
    starts, indices, values, truths, first, missed, weights, squares, ties_key, labels_key,
    rate, floor, scale,
):  # fmt: skip
    labels = weights.shape[1]
    p, slopes = np.empty(labels), np.empty(labels)
    for r in range(len(truths)):
        p[:] = 0.0
        for e in range(starts[r], starts[r + 1]):
            j, value = indices[e], values[e]
            for k in range(labels):
                p[k] += value * weights[j, k]
        top, total = p.max(), 0.0
        for k in range(labels):
            p[k] = math.exp(p[k] - top)
            total += p[k]
        for k in range(labels):
            p[k] /= total
        best = argmax(p, ties_key, first + r)
        gamma, cost = scale * math.sqrt(first + r), max(1.0 - p[best], 0.0)
        rest = 1.0
        for k in range(labels):
            if k != best:
                gap = p[best] - p[k]
                slopes[k] = cost / (labels * cost + gamma * gap) if gap > 0.0 else 1.0 / labels
                rest -= slopes[k]
        slopes[best] = rest
        u, upto, a = draw(labels_key, first + r), 0.0, 0
        for k in range(labels):
            if slopes[k] > 0.0:
                a = k
                upto += slopes[k]
                if u < upto:
                    break
        missed[r] = a != truths[r]
        share = p[a] / max(1.0 - p[a], 1e-6) if missed[r] else -1.0
        for k in range(labels):
            slopes[k] = -share * p[k]
        slopes[a] = p[a] if missed[r] else p[a] - 1.0
        for e in range(starts[r], starts[r + 1]):
            j, value = indices[e], values[e]
            for k in range(labels):
                g = slopes[k] * value
                squares[j, k] += g * g
                weights[j, k] -= rate * g / math.sqrt(squares[j, k] + floor)


def own(player):
    learner, keys = player.learner, player.keys
    own = learner.weights, learner.squares, keys.ties, keys.labels
    return *own, learner.rate, learner.floor, player.explorer.gamma_scale
