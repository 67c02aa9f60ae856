"""Oracle. Bayesian logistic regression by the extended Kalman filter."""

import numpy as np
from oracles.helpers import sample

from onebit.kernel.rng import key, uniform

#: Sums in another order.
TOLERANCE = 1e-8


def oracle(rows, truths, k, seed, variance=10.0, deviations=0.3, form="full"):
    """h = p (1 - p), v = P x: w -= (p - r) v / (1 + h x'v), P -= h v v' / (1 + h x'v)."""
    d = len(rows[0])
    P = [variance * np.eye(d) for _ in range(k)]
    w = [np.zeros(d) for _ in range(k)]
    missed = []
    for t, (x, y) in enumerate(zip(np.array(rows), truths, strict=True), 1):
        x = x / np.linalg.norm(x)
        bounds = [w[r] @ x + deviations * np.sqrt(x @ P[r] @ x) for r in range(k)]
        best = [abs(bound - max(bounds)) < 1e-12 for bound in bounds]
        a = sample([tie / sum(best) for tie in best], uniform(key(seed, "labels"), t))
        missed.append(a != y)
        p = 1.0 / (1.0 + np.exp(-(w[a] @ x)))
        h, v = p * (1.0 - p), P[a] @ x
        w[a] = w[a] - (p - (1.0 if a == y else 0.0)) * v / (1.0 + h * (x @ v))
        P[a] = P[a] - h * np.outer(v, v) / (1.0 + h * (x @ v))
        if form != "full":
            P[a] = np.diag(np.diag(P[a]))
    covariances = np.array(P)
    if form != "full":
        covariances = np.array([np.diag(p) for p in P])[:, :, None]
    return {"weights": np.array(w).T, "covariances": covariances}, missed
