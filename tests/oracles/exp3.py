"""Oracle. Exp3."""

import math

from oracles.helpers import normalise, sample

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed, rounds=None):
    """Bubeck and Cesa-Bianchi 2012, Figure 3.1: losses l 1[I = i] / p_i."""
    L = [0.0] * k

    def weights(t):
        size = math.log(k) / k
        eta = math.sqrt(2.0 * size / rounds) if rounds else math.sqrt(size / t)
        return [math.exp(-eta * (loss - min(L))) for loss in L]

    missed = []
    for t, y in enumerate(truths, 1):
        p = normalise(weights(t))
        played = sample(p, uniform(key(seed, "labels"), t))
        missed.append(played != y)
        for i in range(k):
            loss = 1.0 if played != y else 0.0
            L[i] += loss / p[i] if played == i else 0.0
    return {
        "losses": L,
        "weights": weights(len(truths) + 1),
        "rounds_learned": [len(truths)],
    }, missed
