"""Oracle. An optimistic logistic regression for each label, from one bit."""

import math

import numpy as np
from oracles.helpers import argmax, fastcb, sample

from onebit.kernel.rng import key, uniform

F = np.float32


def oracle(rows, truths, k, seed, rate=0.3, floor=1e-10):
    """p_k = sigmoid(w_k x + ln(K) / 2); the played label learns, a hit with a longer step."""
    W, G = np.zeros((len(rows[0]), k), F), np.zeros((len(rows[0]), k), F)
    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        p = []
        for r in range(k):
            z = 0.0
            for j, value in enumerate(x):
                z += value * float(W[j, r])
            p.append(1.0 / (1.0 + math.exp(-(z + 0.5 * math.log(k)))))
        best = argmax(p, uniform(key(seed, "ties"), t))
        probs = fastcb(p, best, 10.0 * math.sqrt(t))
        a = sample(probs, uniform(key(seed, "labels"), t))
        missed.append(a != y)
        slope, step = p[a] - (a == y), rate * max(1.0, math.log(k)) if a == y else rate
        for j, value in enumerate(x):
            if value:
                g = slope * value
                G[j, a] = float(G[j, a]) + g * g
                W[j, a] = float(W[j, a]) - step * g / math.sqrt(float(G[j, a]) + floor)
    return {"weights": W, "squares": G}, missed
