"""BanditBoost: perceptrons with a bias, steps without 1 / prob, multiplicative voting weights."""

from __future__ import annotations

import math

import numpy as np

from bench.by_hand.common import argmax, by_hand, draw


@by_hand
def loop(
    starts, indices, values, truths, first, missed,
    weights, bias, squares, voters, totals, gains, ties_key, labels_key, delta, advantage,
):  # fmt: skip
    _, labels, n = weights.shape
    margins, votes, steps = np.empty((labels, n)), np.empty((labels, n)), np.empty(n)
    scores = np.empty(labels)
    theta, eta = advantage / (2.0 + advantage), delta**3 / labels
    rate = 0.5 * math.log1p(-advantage)
    for r in range(len(truths)):
        extent = 0.0
        margins[:] = 0.0
        for e in range(starts[r], starts[r + 1]):
            j, value = indices[e], values[e]
            extent += value * value
            for k in range(labels):
                for i in range(n):
                    margins[k, i] += value * weights[j, k, i]
        extent += 1.0
        length = math.sqrt(extent)
        for k in range(labels):
            for i in range(n):
                margins[k, i] += bias[k, i]
                both = math.sqrt(squares[k, i]) * length
                cosine = margins[k, i] / both if both > 0.0 else 0.0
                votes[k, i] = min(1.0, max(-1.0, cosine))
            total, weight = 0.0, 0.0
            for i in range(n):
                total += voters[k, i] * votes[k, i]
                weight += voters[k, i]
            scores[k] = total / weight
        greedy = argmax(scores, ties_key, first + r)
        u, total, label = draw(labels_key, first + r), 0.0, 0
        prob = 0.0
        for k in range(labels):
            prob = delta / labels + (1.0 - delta if k == greedy else 0.0)
            label = k
            total += prob
            if u < total:
                break
        missed[r] = label != truths[r]
        y = -1.0 if missed[r] else 1.0
        z, errs = 0.0, False
        for i in range(n):
            weight = math.exp(rate * z) if z > 0.0 else 1.0
            z += y * votes[label, i] - theta
            totals[i] += weight / prob
            gains[i] += weight / prob * (y * votes[label, i])
            wrong = y * margins[label, i] <= 0.0
            steps[i] = y * weight if wrong else 0.0
            errs = errs or wrong
        if errs:
            for e in range(starts[r], starts[r + 1]):
                for i in range(n):
                    weights[indices[e], label, i] += steps[i] * values[e]
            for i in range(n):
                s = steps[i]
                bias[label, i] += s
                squares[label, i] += 2.0 * s * margins[label, i] + s * s * extent
        if theta > y * scores[label]:
            total = 0.0
            for i in range(n):
                voters[label, i] *= math.exp(eta / prob * (y * votes[label, i]))
                total += voters[label, i]
            for i in range(n):
                voters[label, i] /= total


def own(player):
    learner, vote, bank = player.learner, player.learner.vote, player.learner.weak
    weights = bank.weights.reshape(-1, *bank.bias.shape)
    arrays = weights, bank.bias, bank.squares, vote.weights, vote.totals, vote.gains
    return *arrays, player.keys.ties, player.keys.labels, learner.delta, learner.advantage
