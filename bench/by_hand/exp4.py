"""Exp4: hypotheses lose weight when they shared a miss, and labels are drawn by weight."""

from __future__ import annotations

import math

import numpy as np

from bench.by_hand.common import by_hand, draw


@by_hand
def loop(
    advice, truths, first, missed, losses, weights, base, labels, labels_key, size, rounds
):  # fmt: skip
    """`rounds` is 0 if they are not known; the rate then falls from round to round."""
    n = len(losses)
    votes = np.empty(labels)
    rate = math.sqrt(2.0 * size / rounds) if rounds > 0 else 0.0
    for r in range(len(truths)):
        votes[:] = 0.0
        for i in range(n):
            votes[int(advice[r, i])] += weights[i]
        total = 0.0
        for k in range(labels):
            total += votes[k]
        u, upto, label = draw(labels_key, first + r), 0.0, 0
        for k in range(labels):
            if votes[k] > 0.0:
                label = k
                upto += votes[k] / total
                if u < upto:
                    break
        missed[r] = label != truths[r]
        if rounds == 0:
            if missed[r]:
                loss = 1.0 / (votes[label] / total)
                for i in range(n):
                    if int(advice[r, i]) == label:
                        losses[i] += loss
            rate = math.sqrt(size / (first + r + 1))
            lowest = losses.min()
            for i in range(n):
                weights[i] = math.exp(rate * (lowest - losses[i]))
        elif missed[r]:
            loss = 1.0 / (votes[label] / total)
            total = 0.0
            for i in range(n):
                if int(advice[r, i]) == label:
                    losses[i] += loss
                    weights[i] = math.exp(rate * (base[0] - losses[i]))
                total += weights[i]
            if total < 1e-30:
                base[0] = losses.min()
                for i in range(n):
                    weights[i] = math.exp(rate * (base[0] - losses[i]))


def own(player):
    learner = player.learner
    arrays = learner.losses, learner.weights, learner.base_loss
    return *arrays, len(player.scores), player.keys.labels, learner.ratio, learner.rounds
