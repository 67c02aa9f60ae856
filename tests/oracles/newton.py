"""What the oracles of Newtron and PNewtron share."""

import numpy as np
from oracles.helpers import sample, softmax

from onebit.kernel.rng import key, uniform


def rounds(rows, truths, k, seed, gamma, alpha, weights, update):
    """Hazan and Kale 2011, Algorithm 1: play, and give the estimated gradient to `update`."""
    missed = []
    for t, (x, y) in enumerate(zip(np.array(rows), truths, strict=True), 1):
        p = softmax((alpha * (weights() @ x)).tolist())
        mixed = [(1.0 - gamma) * q + gamma / k for q in p]
        a = sample(mixed, uniform(key(seed, "labels"), t))
        missed.append(a != y)
        even, played = np.full(k, 1.0 / k), np.eye(k)[a]
        if a == y:
            update(np.outer((1.0 - p[a]) / mixed[a] * (even - played), x), mixed[a])
        else:
            update(np.outer(p[a] / mixed[a] * (played - even), x), 1.0)
    return missed


def project(U, radius):
    """The nearest point of the ball."""
    length = np.linalg.norm(U)
    return U * min(1.0, radius / length) if length > 0.0 else U
