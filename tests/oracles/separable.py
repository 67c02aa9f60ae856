"""Oracle. Perceptrons for the separable case."""

from oracles.helpers import argmax, columns, products

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed):
    """Beygelzimer et al. 2019, Algorithm 1; of the labels in S the one with the highest score."""
    W = [[0.0] * len(rows[0]) for _ in range(k)]
    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        scores = products(W, x)
        u = uniform(key(seed, "ties"), t)
        S = [i for i in range(k) if scores[i] >= 0.0]
        guess = argmax(scores, u) if S else int(u * k)
        missed.append(guess != y)
        if not S and guess == y:
            W[guess] = [w + value for w, value in zip(W[guess], x, strict=True)]
        if S and guess != y:
            W[guess] = [w - value for w, value in zip(W[guess], x, strict=True)]
    return {"weights": columns(W)}, missed
