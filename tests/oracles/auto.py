"""Oracle. Conditioned rows, experts, their combination, replay, and the explorer `optimism`.

Written from docs/auto.md; section numbers are of that page.
"""

import math

import numpy as np
from oracles import forest, pairs
from oracles.helpers import bit_slopes, sample, softmax

from onebit.kernel.rng import key, uniform

F = np.float32
#: Sums in another order, such as the inner products of the linear expert, and float32 weights.
TOLERANCE = 1e-5
#: Rows of weights that replay may visit, times labels; draws of softmax, the same early; depth.
SIZES = {"light": (12_000.0, 4.0, 4.0, 10), "standard": (24_000.0, 8.0, 16.0, 12)}


class Columns:
    """Sections 1 and 2: what is known of each feature; rows of a table or of text."""

    def __init__(self):
        self.t, self.total, self.norms = 0, 0, []
        self.n, self.s1, self.s2, self.first, self.varies, self.column = {}, {}, {}, {}, {}, {}
        self.listed = []

    def condition(self, x):
        """Return (column, value, number) of each entry, the scale, and two facts of the row."""
        t = self.t + 1
        nonzero = {j: v for j, v in enumerate(x) if v}
        seen = len(set(self.n) | set(nonzero))
        table = (self.total + len(nonzero)) / t >= 0.1 * seen
        made, taken = [], len(self.column) + 1
        entries = list(nonzero.items())
        entries += [(j, 0.0) for j in self.listed if j not in nonzero]
        for j, v in entries:
            n = self.n.get(j, 0) + (v != 0)
            s2 = self.s2.get(j, 0.0) + v * v
            varies = self.varies.get(j) or (v and self.first.get(j, v) != v)
            number = table and n >= 0.1 * t and varies
            if number:
                mean = (self.s1.get(j, 0.0) + v) / t
                variance = max(s2 / t - mean * mean, 0.0)
                spread = variance * (t / (t + 1)) + 1e-8 + 1e-4 * (mean * mean) + s2 / t / t
                value = min(max((v - mean) / math.sqrt(spread), -3.0), 3.0)
            elif v == 0.0:
                continue
            else:
                value = math.log((t + 1) / (n + 0.5)) * v / (math.sqrt(s2 / n) if table else 1.0)
            if j in self.column:
                column = self.column[j]
            else:
                column, taken = taken, taken + 1
            made.append((column, value, number))
        square = 0.0
        for _, value, _ in made:
            square += value * value
        self.numbers = any(number for _, _, number in made)
        self.square = square
        if self.numbers:
            norms = [*self.norms, square] if len(self.norms) < 1000 else self.norms
            total = 0.0
            for each in norms:
                total += each
            square = max(total / len(norms), 0.01)
        scale = 1.0 / math.sqrt(square) if square > 1e-150 else 0.0
        row = [(c, float(F(value * scale)), number) for c, value, number in made]
        return row, scale, self.numbers, table

    def remember(self, x):
        """Count the row that was conditioned last."""
        self.t += 1
        for j, v in enumerate(x):
            if v:
                self.total += 1
                self.column.setdefault(j, len(self.column) + 1)
                if j not in self.n:
                    self.first[j] = v
                elif self.first[j] != v and not self.varies.get(j):
                    self.varies[j] = True
                    self.listed.append(j)
                self.n[j] = self.n.get(j, 0) + 1
                self.s1[j] = self.s1.get(j, 0.0) + v
                self.s2[j] = self.s2.get(j, 0.0) + v * v
        if self.numbers and len(self.norms) < 1000:
            self.norms.append(self.square)


class Linear:
    """Section 3: softmax, with a bias entry of value .3."""

    def __init__(self, k):
        self.k, self.W, self.G = k, {}, {}

    def estimate(self, row):
        z = np.zeros(self.k)
        for c, v, _ in [(0, 0.3, False), *row[0]]:
            z = z + v * self.W.get(c, np.zeros(self.k))
        return softmax(z.tolist())

    def learn(self, p, row, label, correct):
        slope = np.array(bit_slopes(p, label, correct), F)
        rate = F(1.0 if row[2] else max(3.0, math.log(self.k)))
        for c, v, _ in [(0, 0.3, False), *row[0]]:
            if v:
                g = slope * F(v)
                self.G[c] = self.G.get(c, np.zeros(self.k, F)) + g * g
                step = rate * g / np.sqrt(self.G[c] + F(0.1))
                self.W[c] = self.W.get(c, np.zeros(self.k, F)) - step


class Filter:
    """Section 4: the logistic extended Kalman filter."""

    def __init__(self, w, variances):
        self.w, self.P = np.array(w), np.diag(variances)

    def estimate(self, x, base):
        return 1.0 / (1.0 + math.exp(-(self.w @ np.array(x) + base)))

    def learn(self, x, p, bit):
        x, h = np.array(x), max(p * (1 - p), 1e-3)
        v = self.P @ x
        d = 1.0 + h * (x @ v)
        self.w = self.w - (p - bit) * v / d
        self.P = self.P - h * np.outer(v, v) / d + 1e-5 * np.eye(len(x))


def logit(p, margin):
    p = min(max(p, margin), 1 - margin)
    return math.log(p / (1 - p))


class Auto:
    """Sections 3 to 6, for the experts softmax, pairs and forest."""

    def __init__(self, k, seed, size):
        self.k, self.base = k, -math.log(k - 1)
        self.most, self.draws, self.early, depth = SIZES[size]
        self.columns, self.ring = Columns(), []
        self.linear, self.pairs = Linear(k), pairs.Model(k, seed)
        self.forest = forest.Model(k, seed, depth=depth)
        self.calibrators = [Filter([1.0, 0.0], [0.3, 0.3]) for _ in range(3)]
        self.stack = Filter([1 / 3] * 3 + [0.0], [0.2] * 3 + [0.3])
        self.pi = [0.25] * 4
        self.key = key(seed, "replay")

    def estimates(self, row, experts=(True, True, True)):
        """The estimates of experts that are awake; row is (entries, scale, numbers, table)."""
        entries, _, numbers, table = row
        found = [self.linear.estimate(row) if experts[0] else None, None, None]
        if table and experts[1]:
            found[1] = self.pairs.estimate([(c, v) for c, v, _ in entries], numbers)
        if table and experts[2]:
            found[2] = self.forest.estimate(self.unscaled(row))
        return found

    @staticmethod
    def unscaled(row):
        return [(c, v / row[1], number) for c, v, number in row[0] if v]

    def learn_experts(self, found, row, label, correct):
        if found[0]:
            self.linear.learn(found[0], row, label, correct)
        if found[1]:
            self.pairs.learn(found[1], label, correct)
        if found[2]:
            self.forest.learn(found[2], self.unscaled(row), label, correct)

    def decide(self, x):
        """Section 4: q."""
        self.row = self.columns.condition(x)
        self.found = self.estimates(self.row)
        first = [self.base, self.base, -math.log(self.k)]
        self.logits = [[0.0] * self.k if p is None else [logit(each, 1e-5) - f for each in p]
                  for p, f in zip(self.found, first, strict=True)]  # fmt: skip
        q = []
        for r in range(self.k):
            weighted = [
                (
                    self.pi[3],
                    self.stack.estimate([*(each[r] for each in self.logits), 1.0], self.base),
                )
            ]
            for i in range(3):
                if self.found[i]:
                    p = self.calibrators[i].estimate([self.logits[i][r], 1.0], self.base)
                    weighted.append((self.pi[i], p))
            mean = sum(w * p for w, p in weighted) / sum(w for w, _ in weighted)
            q.append(min(max(mean, 1e-6), 1 - 1e-6))
        return q

    def learn(self, x, label, correct):
        """Section 6."""
        t, bit = self.columns.t + 1, float(correct)
        awake = [i for i in range(3) if self.found[i]]
        inputs = [[self.logits[i][label], 1.0] for i in range(3)]
        inputs.append([*(each[label] for each in self.logits), 1.0])
        filters = [*self.calibrators, self.stack]
        p = [f.estimate(z, self.base) for f, z in zip(filters, inputs, strict=True)]
        members = [*awake, 3]
        before = sum(self.pi[i] for i in members)
        likely = {i: self.pi[i] * max(p[i] if correct else 1 - p[i], 1e-4) for i in members}
        for i in members:
            share = likely[i] / sum(likely.values())
            self.pi[i] = before * ((1 - 1e-3) * share + 1e-3 / len(members))
            filters[i].learn(inputs[i], p[i], bit)
            if i < 3:
                filters[i].w[0] = max(filters[i].w[0], 0.02)
        lanes, u = -(-self.k // 8) * 8, uniform(self.key, 64 * t)
        efforts = (
            len(self.row[0]) + 1,
            len(self.pairs.found) + 1 if self.row[3] else 1,
            20 * self.forest.depth + 1,
        )
        wanted = max(self.draws, min(self.early, 4000.0 / t)), 2.0, 1.0
        draws = [int(min(w, max(1.0, self.most / lanes / e)) + u)
                 for w, e in zip(wanted, efforts, strict=True)]  # fmt: skip
        self.learn_experts(self.found, self.row, label, correct)
        for n in range(max(draws) if self.ring else 0):
            drawn = int(uniform(self.key, 64 * t + 1 + n) * len(self.ring))
            row, then, right = self.ring[drawn]
            found = self.estimates(row, [n < each for each in draws])
            self.learn_experts(found, row, then, right)
        self.ring = [*self.ring, (self.row, label, correct)][-20_000:]
        self.columns.remember(x)


def optimistic(q, row, counts, plays, t):
    """Section 5: a bonus for labels seldom played on such rows, then FastCB."""
    k, total = len(q), F(1.0)
    new = np.array([F(1.0 / (1.0 + n)) for n in plays])
    for c, v, _ in row:
        square = F(v * v)
        if square > 0:
            total = total + square
            new = new + square / (F(1.0) + counts.get(c, np.zeros(k, F)))
    new = new / total
    raised = [
        logit(each, 1e-6) + 4.0 * math.log(k) * float(r) for each, r in zip(q, new, strict=True)
    ]
    raised = [1.0 / (1.0 + math.exp(-z)) for z in raised]
    best = max(raised)
    tied = [each >= best * (1 - 1e-5) for each in raised]
    cost, gamma = 1.0 - best, 50.0 * math.sqrt(t)
    probs = [0.0 if tie else cost / (k * cost + gamma * (best - each))
             for each, tie in zip(raised, tied, strict=True)]  # fmt: skip
    rest = (1.0 - sum(probs)) / sum(tied)
    return [rest if tie else p for p, tie in zip(probs, tied, strict=True)]


def oracle(rows, truths, k, seed, size="standard"):
    """Play all rounds."""
    model, counts, plays, missed = Auto(k, seed, size), {}, [0] * k, []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        q = model.decide(x)
        probs = optimistic(q, model.row[0], counts, plays, t)
        label = sample(probs, uniform(key(seed, "labels"), t))
        missed.append(label != y)
        for c, v, _ in model.row[0]:
            counts.setdefault(c, np.zeros(k, F))[label] += F(v * v)
        plays[label] += 1
        model.learn(x, label, label == y)
    found = {
        "stack.calibrators": [f.w for f in model.calibrators],
        "stack.calibrator_variances": [f.P for f in model.calibrators],
        "stack.weights": model.stack.w,
        "stack.variances": model.stack.P,
        "stack.beliefs": model.pi,
        "experts.learner.weights": table(model.linear.W, k, len(rows[0]) + 1),
        "experts.learner.squares": table(model.linear.G, k, len(rows[0]) + 1),
    }
    found |= {f"experts.rest.learner.{n}": a for n, a in model.pairs.arrays().items()}
    found |= {f"experts.rest.rest.learner.{n}": a for n, a in model.forest.arrays().items()}
    return found, missed


def table(rows, k, columns):
    return [rows.get(c, np.zeros(k)) for c in range(columns)]
