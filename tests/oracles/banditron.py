"""Oracle. The Banditron."""

from oracles.helpers import argmax, columns, products, sample

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed, gamma=0.05):
    """Kakade et al. 2008, Algorithm 1, the first indicator of the played label (Lemma 4)."""
    W = [[0.0] * len(rows[0]) for _ in range(k)]
    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        guess = argmax(products(W, x), uniform(key(seed, "ties"), t))
        P = [gamma / k + (1.0 - gamma if r == guess else 0.0) for r in range(k)]
        played = sample(P, uniform(key(seed, "labels"), t))
        missed.append(played != y)
        for r in range(k):
            hit = (1.0 / P[r]) if (y == played and played == r) else 0.0
            step = hit - (1.0 if guess == r else 0.0)
            for j, value in enumerate(x):
                W[r][j] += step * value
    return {"weights": columns(W)}, missed
