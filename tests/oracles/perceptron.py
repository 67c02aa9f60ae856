"""Oracle. The multiclass perceptron."""

from oracles.helpers import argmax, columns, products

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed):
    """Kakade et al. 2008, equations 2 and 3."""
    W = [[0.0] * len(rows[0]) for _ in range(k)]
    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        guess = argmax(products(W, x), uniform(key(seed, "ties"), t))
        missed.append(guess != y)
        for r in range(k):
            for j, value in enumerate(x):
                W[r][j] += value * ((y == r) - (guess == r))  # equation 3
    return {"weights": columns(W)}, missed
