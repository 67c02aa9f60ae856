"""Oracle. Multinomial logistic regression on products of two features, from one bit."""

import math

import numpy as np
from oracles.helpers import argmax, bit_slopes, fastcb, sample, softmax

from onebit.kernel.rng import key, subkey, uniform

F = np.float32
PLACES = 2**18


class Model:
    """Weights by place of the hash; each place gets a row at its first use."""

    def __init__(self, k, seed, rate=1.0, floor=0.01, budget=8192):
        lanes = -(-k // 8) * 8
        self.k, self.rate, self.floor, self.key = k, F(rate), F(floor), key(seed, "pairs")
        self.cap = min(max(budget // lanes, 96), 1024)
        self.rows = min(PLACES, 2**24 // lanes) + 1
        self.bias = [np.zeros(k, F), np.zeros(k, F)]
        self.table = {}  # place: [weights, squares], in the order of first use

    def products(self, entries, numbers):
        """The places and values of singles, squares and pairs; entries are (feature, value)."""
        used = [
            (int(subkey(self.key, j)) >> 2, F(min(max(v, -1e6), 1e6))) for j, v in entries if F(v)
        ]
        found = []

        def add(kind, number, value):
            found.append((int(subkey(self.key + kind, number)) % PLACES, value))

        if len(used) <= 128:
            for h, v in used:
                add(1, h, F(0.7) * v)
                if numbers:
                    add(2, h, F(0.7) * v * v)
        m = 1
        while len(used) * (len(used) - 1) / 2 / m > self.cap:
            m *= 2
        for n, (h, v) in enumerate(used):
            for other, w in reversed(used[:n]):
                if (h + other) % m == 0:
                    add(0, h + other, v * w * F(math.sqrt(math.sqrt(m))))
        return found

    def estimate(self, entries, numbers):
        """p = softmax(W phi)."""
        self.found = self.products(entries, numbers)
        z = np.zeros(self.k, F) + F(0.3) * self.bias[0]
        for place, value in self.found:
            if place in self.table:
                z = z + value * self.table[place][0]
        return softmax([float(each) for each in z])

    def learn(self, p, label, correct):
        """A step of AdaGrad on what was estimated last."""
        slope = np.array(bit_slopes(p, label, correct), F)
        for place, value in [(None, F(0.3)), *self.found]:
            empty = [np.zeros(self.k, F), np.zeros(self.k, F)]
            row = self.bias if place is None else self.table.setdefault(place, empty)
            g = value * slope
            row[1] = row[1] + g * g
            row[0] = row[0] - self.rate * g / np.sqrt(row[1] + self.floor)

    def arrays(self):
        """The state in the layout of onebit."""
        lanes = -(-self.k // 8) * 8
        places = np.zeros(PLACES, np.int32)
        weights, squares = np.zeros((self.rows, lanes), F), np.zeros((self.rows, lanes), F)
        for n, (place, row) in enumerate([(None, self.bias), *self.table.items()]):
            weights[n, : self.k], squares[n, : self.k] = row
            if n:
                places[place] = n
        taken = [1 + len(self.table)]
        return {"places": places, "weights": weights, "squares": squares, "taken": taken}


def oracle(rows, truths, k, seed, **params):
    """The loss of the oracle of softmax, on hashed products."""
    model, missed = Model(k, seed, **params), []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        entries = [(j, v) for j, v in enumerate(x) if v]
        p = model.estimate(entries, any(v != 1 for _, v in entries))
        best = argmax(p, uniform(key(seed, "ties"), t))
        probs = fastcb(p, best, 10.0 * math.sqrt(t))
        played = sample(probs, uniform(key(seed, "labels"), t))
        missed.append(played != y)
        model.learn(p, played, played == y)
    return model.arrays(), missed
