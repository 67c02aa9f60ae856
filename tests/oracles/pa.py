"""Oracle. The multiclass passive-aggressive learner, PA-I."""

from oracles.helpers import argmax, columns, products, right_labels

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed, c=1.0):
    """Crammer et al. 2006: step min(C, loss / ||x||^2), where Kesler's row has norm 2 ||x||^2."""
    W = [[0.0] * len(rows[0]) for _ in range(k)]
    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        z = products(W, x)
        Y = right_labels(y)
        missed.append(argmax(z, uniform(key(seed, "ties"), t)) not in Y)
        if not 0 < len(Y) < k:
            continue
        y = min(Y, key=lambda label: (z[label], label))  # Section 7: the lowest relevant one
        r = max({*range(k)} - Y, key=lambda label: (z[label], -label))
        loss = max(0.0, 1.0 - z[y] + z[r])
        norm = sum(value * value for value in x)
        step = min(c, loss / (2.0 * norm)) if norm > 0 else 0.0
        for j, value in enumerate(x):
            W[y][j] += step * value
            W[r][j] -= step * value
    return {"weights": columns(W)}, missed
