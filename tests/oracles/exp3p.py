"""Oracle. Exp3.P."""

import math

from oracles.helpers import normalise, sample

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed, rounds=10_000, delta=0.05):
    """Bubeck and Cesa-Bianchi 2012, Figure 3.2, with the constants of Theorem 3.2."""
    beta = math.sqrt(math.log(k / delta) / (rounds * k))
    eta = 0.95 * math.sqrt(math.log(k) / (rounds * k))
    gamma = min(1.0, 1.05 * math.sqrt(k * math.log(k) / rounds))
    G = [0.0] * k

    def weights():
        return [math.exp(eta * (gain - max(G))) for gain in G]

    missed = []
    for t, y in enumerate(truths, 1):
        w = weights()
        p = [(1.0 - gamma) * each / sum(w) + gamma / k for each in w]
        played = sample(normalise(p), uniform(key(seed, "labels"), t))
        prob = normalise(p)[played]
        missed.append(played != y)
        for i in range(k):
            gain = 1.0 if played == y else 0.0
            # the prob of the played label is normalised, as it was when it was drawn
            G[i] += (gain + beta) / prob if played == i else beta / p[i]
    return {"losses": [-gain for gain in G], "weights": weights()}, missed
