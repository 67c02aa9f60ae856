"""Oracle. Naive Bayes: every feature is a column of two values."""

import math

import numpy as np
from oracles.helpers import argmax, right_labels

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed):
    """P(y) ~ n_y + 1, P(value | y) = (n_vy + 1) / (n_y + 2), computed anew for each row."""
    d = len(rows[0])
    counts, totals = [[0.0] * k for _ in range(d)], [0.0] * k
    missed = []

    def log_tables():
        absent = [[math.log(totals[y] - counts[j][y] + 1.0) for y in range(k)] for j in range(d)]
        log_ratios = [
            [math.log(counts[j][y] + 1.0) - absent[j][y] for y in range(k)] for j in range(d)
        ]
        zero_scores = []
        for y in range(k):
            zero_score = math.log(totals[y] + 1.0)
            for j in range(d):
                zero_score += absent[j][y] - math.log(totals[y] + 2.0)
            zero_scores.append(zero_score)
        return log_ratios, zero_scores

    for t, (x, truth) in enumerate(zip(rows, truths, strict=True), 1):
        log_ratios, scores = log_tables()
        for j, value in enumerate(x):
            if value != 0:
                scores = [s + gain for s, gain in zip(scores, log_ratios[j], strict=True)]
        missed.append(argmax(scores, uniform(key(seed, "ties"), t)) not in right_labels(truth))
        for label in right_labels(truth):
            totals[label] += 1.0
            for j, value in enumerate(x):
                counts[j][label] += value != 0
    log_ratios, zero_scores = log_tables()
    state = {
        "counts": counts,
        "totals": totals,
        "log_ratios": log_ratios,
        "zero_scores": zero_scores,
    }
    numbers = {"means": np.zeros((0, k)), "ssds": np.zeros((0, k))}  # no numeric columns
    return {**state, **numbers}, missed
