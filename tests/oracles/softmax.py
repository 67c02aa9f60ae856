"""Oracle. Multinomial logistic regression from one bit."""

import math

from oracles.helpers import argmax, columns, fastcb, products, sample, softmax

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed, rate=0.1, floor=1e-6, gamma_scale=10.0):
    """The loss -log p_a if the bit is right, -log(1 - p_a) if not; steps of Duchi et al. 2011."""
    W = [[0.0] * len(rows[0]) for _ in range(k)]
    G = [[0.0] * len(rows[0]) for _ in range(k)]
    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        p = softmax(products(W, x))
        best = argmax(p, uniform(key(seed, "ties"), t))
        played = sample(
            fastcb(p, best, gamma_scale * math.sqrt(t)), uniform(key(seed, "labels"), t)
        )
        missed.append(played != y)
        a = p[played]
        for r in range(k):
            if played == y:  # d -log p_a / d z_r
                slope = p[r] - (1.0 if r == played else 0.0)
            elif r == played:  # d -log(1 - p_a) / d z_a
                slope = a
            else:  # d -log(1 - p_a) / d z_r
                slope = -(a / max(1.0 - a, 1e-6)) * p[r]
            for j, value in enumerate(x):
                g = slope * value
                G[r][j] += g * g
                W[r][j] -= rate * g / math.sqrt(G[r][j] + floor)
    return {"weights": columns(W), "squares": columns(G)}, missed
