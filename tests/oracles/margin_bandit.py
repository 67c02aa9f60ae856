"""Oracle. Passive-aggressive steps with importance weights."""

from oracles.helpers import argmax, columns, epsilon, products, runner_up, sample

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed, gamma=0.05, c=1.0):
    """W += (min(C, loss / (2 ||x||^2)) / P(a)) (e_a - e_r) x, and only if a was right."""
    W = [[0.0] * len(rows[0]) for _ in range(k)]
    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        z = products(W, x)
        P = epsilon(argmax(z, uniform(key(seed, "ties"), t)), k, gamma)
        a = sample(P, uniform(key(seed, "labels"), t))
        missed.append(a != y)
        r = runner_up(z, a)
        loss = max(0.0, 1.0 - z[a] + z[r])
        norm = sum(value * value for value in x)
        if a == y and norm > 0:
            step = min(c, loss / (2.0 * norm)) / P[a]
            for j, value in enumerate(x):
                W[a][j] += step * value
                W[r][j] -= step * value
    return {"weights": columns(W)}, missed
