"""Oracle. The multiclass perceptron."""

from oracles.helpers import argmax, columns, products, right_labels

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed):
    """Kakade et al. 2008, equations 2 and 3."""
    W = [[0.0] * len(rows[0]) for _ in range(k)]
    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        guess = argmax(products(W, x), uniform(key(seed, "ties"), t))
        Y = right_labels(y)
        missed.append(guess not in Y)
        for r in range(k if Y and guess not in Y else 0):
            for j, value in enumerate(x):
                W[r][j] += value * ((r in Y) / len(Y) - (guess == r))  # equation 3
    return {"weights": columns(W)}, missed
