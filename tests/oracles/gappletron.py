"""Oracle. Gappletron."""

import math

from oracles.helpers import argmax, columns, epsilon, products, sample, softmax

from onebit.kernel.rng import key, uniform

#: The squared norm of the gradient is added up in another order.
TOLERANCE = 1e-9


def oracle(rows, truths, k, seed, diameter=3.0, gamma=0.01):
    """van der Hoeven et al. 2021, logistic loss: uniform play with probability max(a, gamma)."""
    W = [[0.0] * len(rows[0]) for _ in range(k)]
    squares = 0.0
    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        s = softmax(products(W, x))
        guess = argmax(s, uniform(key(seed, "ties"), t))
        a = 1.0 - (s[guess] if s[guess] >= 0.5 else 0.0)
        P = epsilon(guess, k, max(a, gamma))
        played = sample(P, uniform(key(seed, "labels"), t))
        missed.append(played != y)
        if played == y:
            G = [[(s[r] - (r == y)) * value / P[y] for value in x] for r in range(k)]
            squares += sum(g * g for row in G for g in row)
            eta = diameter / math.sqrt(2.0 * (1e-8 + squares))
            W = [
                [w - eta * g for w, g in zip(*pair, strict=True)] for pair in zip(W, G, strict=True)
            ]
    return {"weights": columns(W), "squares": [squares]}, missed
