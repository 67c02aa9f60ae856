"""Oracle. PNewtron."""

import numpy as np
from oracles.newton import project, rounds

#: The squared norm of the weights is kept by differences.
TOLERANCE = 1e-8


def oracle(rows, truths, k, seed, alpha=10.0, beta=0.01, radius=1.0, gamma=0.01):
    """Hazan and Kale 2011, Section 5: as Newtron, with the diagonal of A."""
    d = len(rows[0])
    A, b = np.zeros((k, d)), np.zeros((k, d))

    def free():
        return -b / (1.0 / radius + A)

    def update(G, kappa):
        nonlocal A, b
        b = b + (1.0 - kappa * beta * (G * project(free(), radius)).sum()) * G
        A = A + kappa * beta * G * G

    missed = rounds(rows, truths, k, seed, gamma, alpha, lambda: project(free(), radius), update)
    return {
        "weights": free().T,
        "sums": b.T,
        "curvature": A.T,
        "squared_length": [(free() ** 2).sum()],
    }, missed
