"""Oracle. Exp3-IX."""

import math

from oracles.helpers import normalise, sample

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed, rounds=None):
    """Neu 2015, Algorithm 1: losses l 1[I = i] / (p_i + gamma_t), with eta_t = 2 gamma_t."""
    L = [0.0] * k

    def eta(t):
        size = math.log(k) / k
        return math.sqrt(2.0 * size / rounds) if rounds else math.sqrt(size / t)

    def weights(t):
        return [math.exp(-eta(t) * (loss - min(L))) for loss in L]

    missed = []
    for t, y in enumerate(truths, 1):
        p = normalise(weights(t))
        played = sample(p, uniform(key(seed, "labels"), t))
        missed.append(played != y)
        for i in range(k):
            loss = 1.0 if played != y else 0.0
            L[i] += loss / (p[i] + eta(t) / 2.0) if played == i else 0.0
    return {
        "losses": L,
        "weights": weights(len(truths) + 1),
        "rounds_learned": [len(truths)],
    }, missed
