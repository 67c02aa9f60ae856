"""Oracle. Ridge regression with upper confidence bounds."""

import numpy as np
from oracles.helpers import sample

from onebit.kernel.rng import key, uniform

#: Here A is inverted anew in every round.
TOLERANCE = 1e-8


def oracle(rows, truths, k, seed, alpha=0.0, eta=0.1, form="full"):
    """After Crammer and Gentile 2011, Figure 1: w_a = A_a^-1 (sum of +-x), A_a += x x'."""
    d = len(rows[0])
    A = [(1.0 + alpha) ** 2 * np.eye(d) for _ in range(k)]
    b = [np.zeros(d) for _ in range(k)]
    w = [np.zeros(d) for _ in range(k)]
    missed = []
    for t, (x, y) in enumerate(zip(np.array(rows), truths, strict=True), 1):
        x = x / np.linalg.norm(x)
        bounds = [w[r] @ x + np.sqrt(eta * (x @ np.linalg.inv(A[r]) @ x)) for r in range(k)]
        best = [abs(bound - max(bounds)) < 1e-12 for bound in bounds]
        a = sample([tie / sum(best) for tie in best], uniform(key(seed, "labels"), t))
        missed.append(a != y)
        s = 1.0 if a == y else -1.0
        if form == "full":
            A[a] += np.outer(x, x)
            b[a] += s * x
            w[a] = np.linalg.solve(A[a], b[a])
        else:  # one step of the same filter, with the diagonal of the new inverse alone
            P = 1.0 / np.diag(A[a])
            gain = P * x / (1.0 + x @ (P * x))
            w[a] = w[a] + gain * (s - w[a] @ x)
            A[a] = np.diag(1.0 / (P - gain * (P * x)))
    inverses = np.array([np.linalg.inv(a) for a in A])
    if form != "full":
        inverses = np.array([np.diag(p) for p in inverses])[:, :, None]
    return {"weights": np.array(w).T, "inverses": inverses}, missed
