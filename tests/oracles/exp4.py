"""Oracle. Exp4."""

import math

from oracles.helpers import normalise, sample

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed, rounds=None):
    """Bubeck and Cesa-Bianchi 2012, Figure 4.1, for advice that names one label.

    The loss of weight 1 is the lowest; if the number of rounds is given, the one that was lowest
    when the weights last summed to less than 1e-30.
    """
    n = len(rows[0])
    L, base = [0.0] * n, 0.0

    def weights(t):
        size = math.log(n) / k
        eta = math.sqrt(2.0 * size / rounds) if rounds else math.sqrt(size / t)
        return [math.exp(eta * (base - loss)) for loss in L]

    w = weights(1)
    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        votes = [0.0] * k
        for i in range(n):
            votes[int(x[i])] += w[i]
        p = normalise(votes)
        played = sample(p, uniform(key(seed, "labels"), t))
        missed.append(played != y)
        for i in range(n):
            loss = 1.0 if played != y else 0.0
            L[i] += loss / p[played] if x[i] == played else 0.0
        w = weights(t + 1)
        if not rounds or sum(w) < 1e-30:
            base = min(L)
            w = weights(t + 1)
    return {"losses": L, "weights": w, "base_loss": [base], "rounds_learned": [len(rows)]}, missed
