"""Oracle. The second-order Banditron, diagonal."""

import math

from oracles.helpers import argmax, columns, epsilon, products, runner_up, sample

from onebit.kernel.rng import key, uniform

#: z'A^-1 z is added up feature by feature, here over both labels of each.
TOLERANCE = 1e-9


def oracle(rows, truths, k, seed, gamma=0.05):
    """Beygelzimer et al. 2017, Algorithm 1, with the diagonal of A, a = 1."""
    d = len(rows[0])
    A = [[1.0] * d for _ in range(k)]
    theta = [[0.0] * d for _ in range(k)]
    total = 0.0
    missed = []

    def weights():
        return [[theta[r][j] / A[r][j] for j in range(d)] for r in range(k)]

    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        W = weights()
        scores = products(W, x)
        guess = argmax(scores, uniform(key(seed, "ties"), t))
        p = epsilon(guess, k, gamma)
        played = sample(p, uniform(key(seed, "labels"), t))
        missed.append(played != y)
        if played != y:
            continue
        rival = runner_up(scores, y)
        g = [[(1.0 if r == rival else -1.0 if r == y else 0.0) * value / p[y] for value in x]
             for r in range(k)]  # fmt: skip
        z = [[math.sqrt(p[y]) * value for value in row] for row in g]
        pairs = [(r, j) for r in range(k) for j in range(d)]
        wz = sum(W[r][j] * z[r][j] for r, j in pairs)
        wg = sum(W[r][j] * g[r][j] for r, j in pairs)
        zAz = sum(z[r][j] ** 2 / A[r][j] for r, j in pairs)
        m = (wz**2 + 2.0 * wg) / (1.0 + zAz)
        if total + m >= 0.0:
            total += m
            for r, j in pairs:
                A[r][j] += z[r][j] ** 2
                theta[r][j] -= g[r][j]
    return {
        "sums": columns(theta),
        "curvature": columns(A),
        "weights": columns(weights()),
        "margin_sum": [total],
    }, missed
