"""Oracle. Randomised weighted majority."""

import math

from oracles.helpers import normalise, right_labels, sample

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed, rounds=None):
    """Littlestone and Warmuth 1994: weights exp(-eta L_i), L_i the mistakes of hypothesis i."""
    n = len(rows[0])
    L = [0.0] * n

    def weights(t):
        eta = math.sqrt(2.0 * math.log(n) / rounds) if rounds else math.sqrt(math.log(n) / t)
        return [math.exp(-eta * (loss - min(L))) for loss in L]

    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        w = weights(t)
        votes = [0.0] * k
        for i in range(n):
            votes[int(x[i])] += w[i]
        Y = right_labels(y)
        missed.append(sample(normalise(votes), uniform(key(seed, "labels"), t)) not in Y)
        for i in range(n):
            L[i] += 1.0 if x[i] not in Y else 0.0
    return {"mistakes": L, "weights": weights(len(rows) + 1), "rounds_learned": [len(rows)]}, missed
