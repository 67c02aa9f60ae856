"""Oracle. PA-I for each label."""

from oracles.helpers import argmax, columns, products

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed, c=1.0, rule="played-only"):
    """Crammer et al. 2006, PA-I: tau = min(C, loss / ||x||^2), for labels known right or wrong."""
    W = [[0.0] * len(rows[0]) for _ in range(k)]
    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        scores = products(W, x)
        a = argmax(scores, uniform(key(seed, "ties"), t))
        missed.append(a != y)
        length = 0.0
        for value in x:
            length += value * value
        for r in range(k) if a == y and rule == "all-if-correct" else [a]:
            sign = 1.0 if r == y else -1.0
            loss = max(0.0, 1.0 - sign * scores[r])
            tau = min(c, loss / length) if loss > 0.0 else 0.0
            for j, value in enumerate(x):
                W[r][j] += sign * tau * value
    return {"weights": columns(W)}, missed
