"""Oracle. Logistic regression on the nodes of random trees, from one bit."""

import math

import numpy as np
from oracles.helpers import argmax, fastcb, sample

from onebit.kernel.rng import key, subkey, uniform

F = np.float32


class Model:
    """Tests and weights by node; a node is found by a hash of its tree and path."""

    def __init__(self, k, seed, trees=20, depth=12, rate=0.05, floor=1e-10):
        lanes = -(-k // 8) * 8
        self.k, self.trees, self.depth, self.key = k, trees, depth, key(seed, "forest")
        self.rate, self.floor = F(rate), F(floor)
        self.nodes, self.rounds = min(2**17, 2**23 // lanes), 0
        self.tests, self.weights, self.squares = {}, {}, {}

    def node(self, tree, path):
        return int(subkey(self.key, tree * 2**32 + path)) % self.nodes

    def walk(self, tree, values, make=None):
        """The nodes below the root; ends at one without a test, unless `make` gives it one."""
        path, found = 1, []
        for d in range(self.depth):
            node = self.node(tree, path)
            if node not in self.tests:
                if make is None or not values:
                    break
                self.tests[node] = make(d)
            feature, threshold = self.tests[node]
            path = 2 * path + (values.get(feature, F(0.0)) > threshold)
            found.append(self.node(tree, path))
        return found

    def estimate(self, entries):
        """p_k = sigmoid(w_k phi - ln K); entries are (feature, value before scale, number)."""
        values = {j: F(v) for j, v, _ in entries}
        z = np.zeros(self.k, F) + self.weights.get("bias", np.zeros(self.k, F))
        for tree in range(self.trees):
            for node in self.walk(tree, values):
                z = z + self.weights.get(node, np.zeros(self.k, F))
        return [1.0 / (1.0 + math.exp(math.log(self.k) - float(each))) for each in z]

    def learn(self, p, entries, label, correct):
        """A step of AdaGrad for the played label, in every node on the paths."""
        values = {j: F(v) for j, v, _ in entries}
        nodes = ["bias"]
        for tree in range(self.trees):

            def make(d, tree=tree):
                draw = 2 * ((self.rounds * self.trees + tree) * self.depth + d)
                j, _, number = entries[int(uniform(self.key, draw) * len(entries))]
                u = uniform(self.key, draw + 1)
                numeric = F(0.55 * math.log((u + 0.001) / (1.001 - u)))
                return j, numeric if number else F(1e-6)

            nodes += self.walk(tree, values, make)
        self.rounds += 1
        g = F(p[label] - correct)
        for node in nodes:
            w = self.weights.setdefault(node, np.zeros(self.k, F))
            s = self.squares.setdefault(node, np.zeros(self.k, F))
            s[label] += g * g
            w[label] -= self.rate * g / np.sqrt(s[label] + self.floor)

    def arrays(self):
        """The state in the layout of onebit; the last row is the bias."""
        lanes = -(-self.k // 8) * 8
        tests, thresholds = np.zeros(self.nodes, np.int32), np.zeros(self.nodes, F)
        for node, (feature, threshold) in self.tests.items():
            tests[node], thresholds[node] = feature + 1, threshold
        weights, squares = (np.zeros((self.nodes + 1, lanes), F) for _ in range(2))
        for node, row in self.weights.items():
            weights[-1 if node == "bias" else node, : self.k] = row
            squares[-1 if node == "bias" else node, : self.k] = self.squares[node]
        return {"tests": tests, "thresholds": thresholds, "weights": weights,
                "squares": squares, "rounds": [self.rounds]}  # fmt: skip


def oracle(rows, truths, k, seed, **params):
    """Random trees that grow as rows come, one logistic regression a label."""
    model, missed = Model(k, seed, **params), []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        entries = [(j, v, v != 1.0) for j, v in enumerate(x) if v]
        p = model.estimate(entries)
        best = argmax(p, uniform(key(seed, "ties"), t))
        probs = fastcb(p, best, 10.0 * math.sqrt(t))
        played = sample(probs, uniform(key(seed, "labels"), t))
        missed.append(played != y)
        model.learn(p, entries, played, played == y)
    return model.arrays(), missed
