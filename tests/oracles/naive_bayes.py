"""Oracle. Naive Bayes: every feature is a column of two values."""

import math

import numpy as np
from oracles.plain import argmax

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed):
    """P(y) ~ n_y + 1, P(value | y) = (n_vy + 1) / (n_y + 2); the tables anew for each row."""
    d = len(rows[0])
    counts, totals = [[0.0] * k for _ in range(d)], [0.0] * k
    missed = []

    def tables():
        unset = [[math.log(totals[y] - counts[j][y] + 1.0) for y in range(k)] for j in range(d)]
        gains = [[math.log(counts[j][y] + 1.0) - unset[j][y] for y in range(k)] for j in range(d)]
        blanks = []
        for y in range(k):
            blank = math.log(totals[y] + 1.0)
            for j in range(d):
                blank += unset[j][y] - math.log(totals[y] + 2.0)
            blanks.append(blank)
        return gains, blanks

    for t, (x, truth) in enumerate(zip(rows, truths, strict=True), 1):
        gains, scores = tables()
        for j, value in enumerate(x):
            if value != 0:
                scores = [s + gain for s, gain in zip(scores, gains[j], strict=True)]
        missed.append(argmax(scores, uniform(key(seed, "ties"), t)) != truth)
        totals[truth] += 1.0
        for j, value in enumerate(x):
            counts[j][truth] += value != 0
    gains, blanks = tables()
    state = {"counts": counts, "totals": totals, "log_ratios": gains, "zero_scores": blanks}
    numbers = {"means": np.zeros((0, k)), "ssds": np.zeros((0, k))}  # here are none
    return {**state, **numbers, "widths": [1] * d, "values": [2] * d}, missed
