"""Oracle. The second-order Banditron."""

import math

import numpy as np
from oracles.helpers import argmax, epsilon, runner_up, sample

from onebit.kernel.rng import key, uniform

#: Here A is inverted anew in every round.
TOLERANCE = 1e-8


def oracle(rows, truths, k, seed, gamma=0.05):
    """Beygelzimer et al. 2017, Algorithm 1, a = 1; w is stacked label by label."""
    d = len(rows[0])
    A, theta, total = np.eye(k * d), np.zeros(k * d), 0.0
    missed = []
    for t, (x, y) in enumerate(zip(np.array(rows), truths, strict=True), 1):
        w = np.linalg.solve(A, theta)
        scores = (w.reshape(k, d) @ x).tolist()
        guess = argmax(scores, uniform(key(seed, "ties"), t))
        p = epsilon(guess, k, gamma)
        played = sample(p, uniform(key(seed, "labels"), t))
        missed.append(played != y)
        if played != y:
            continue
        g = np.kron(np.eye(k)[runner_up(scores, y)] - np.eye(k)[y], x) / p[y]
        z = math.sqrt(p[y]) * g
        m = ((w @ z) ** 2 + 2.0 * (w @ g)) / (1.0 + z @ np.linalg.solve(A, z))
        if total + m >= 0.0:
            total += m
            A += np.outer(z, z)
            theta -= g
    w = np.linalg.solve(A, theta)
    return {
        "weights": w.reshape(k, d).T,
        "inverse": np.linalg.inv(A),
        "margin_sum": [total],
    }, missed
