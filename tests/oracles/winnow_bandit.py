"""Oracle. Multiplicative weights on the sum of the Banditron's updates."""

import math

from oracles.helpers import argmax, columns, epsilon, products, sample

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed, gamma=0.05, radius=1.0, eta=None):
    """score_k = sum_j x_j sinh(eta Theta_kj), Theta the sum of Algorithm 1's U~ (ICML 2008)."""
    eta = gamma / (k * radius) if eta is None else eta
    d = len(rows[0])
    theta = [[0.0] * d for _ in range(k)]
    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        W = [[math.sinh(eta * value) for value in label] for label in theta]
        guess = argmax(products(W, x), uniform(key(seed, "ties"), t))
        P = epsilon(guess, k, gamma)
        played = sample(P, uniform(key(seed, "labels"), t))
        missed.append(played != y)
        for r in range(k):
            hit = (1.0 / P[r]) if (y == played and played == r) else 0.0
            step = hit - (1.0 if guess == r else 0.0)
            for j in range(d):
                theta[r][j] += step * x[j]
    W = [[math.sinh(eta * value) for value in label] for label in theta]
    return {"sums": columns(theta), "weights": columns(W)}, missed
