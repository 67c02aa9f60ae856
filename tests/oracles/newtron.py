"""Oracle. Newtron."""

import numpy as np
from oracles.newton import project, rounds

#: Here A is inverted anew in every round.
TOLERANCE = 1e-8


def oracle(rows, truths, k, seed, alpha=10.0, beta=0.01, radius=1.0, gamma=0.01):
    """Hazan and Kale 2011, Algorithm 1: W = -A^-1 b, projected."""
    d = len(rows[0])
    A, b = np.eye(k * d) / radius, np.zeros(k * d)

    def free():
        return -np.linalg.solve(A, b).reshape(k, d)

    def update(G, kappa):
        nonlocal A, b
        b = b + (1.0 - kappa * beta * (G * project(free(), radius)).sum()) * G.ravel()
        A = A + kappa * beta * np.outer(G.ravel(), G.ravel())

    missed = rounds(rows, truths, k, seed, gamma, alpha, lambda: project(free(), radius), update)
    return {
        "weights": free().T,
        "inverse": np.linalg.inv(A),
        "squared_length": [(free() ** 2).sum()],
    }, missed
