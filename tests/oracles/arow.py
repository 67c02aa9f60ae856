"""Oracle. Diagonal AROW for each label."""

from oracles.helpers import argmax, columns, products

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed, rate=1.0):
    """Crammer et al. 2009, Figure 1, of the played label alone, with a diagonal Sigma."""
    d = len(rows[0])
    mu = [[0.0] * d for _ in range(k)]
    sigma = [[1.0] * d for _ in range(k)]
    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        scores = products(mu, x)
        a = argmax(scores, uniform(key(seed, "ties"), t))
        missed.append(a != y)
        sign = 1.0 if a == y else -1.0
        m = sign * scores[a]
        if m < 1.0:
            v = 0.0
            for j in range(d):
                v += x[j] * x[j] * sigma[a][j]
            beta = 1.0 / (v + rate)
            alpha = (1.0 - m) * beta * sign
            for j in range(d):
                sx = sigma[a][j] * x[j]
                mu[a][j] += alpha * sx
                sigma[a][j] -= beta * sx * sx
    return {"weights": columns(mu), "variances": columns(sigma)}, missed
