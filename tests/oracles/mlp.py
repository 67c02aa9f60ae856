"""Oracle. A neural network with one hidden layer, from one bit."""

import math

import numpy as np
from oracles.helpers import argmax, bit_slopes, fastcb, sample, softmax

from onebit.kernel.rng import key, uniform, uniforms

F = np.float32
LEAK = F(0.01)
#: Sums over labels in another order.
TOLERANCE = 1e-5


class Adam:
    """Kingma and Ba 2015, Algorithm 1, for rows of weights, with a step for all of them."""

    def __init__(self, weights):
        self.w, self.m, self.v = weights, np.zeros_like(weights), np.zeros_like(weights)

    def learn(self, row, gradient, step):
        self.m[row] = F(0.9) * self.m[row] + (F(1) - F(0.9)) * gradient
        self.v[row] = F(0.999) * self.v[row] + (F(1) - F(0.999)) * (gradient * gradient)
        self.w[row] = self.w[row] - step * self.m[row] / (np.sqrt(self.v[row]) + F(1e-8))


def oracle(rows, truths, k, seed, hidden=64, rate=0.02):
    """The loss of the oracle of softmax, through a hidden layer of leaky rectified units."""
    d, lanes, missed = len(rows[0]), -(-k // 8) * 8, []
    u = uniforms(key(seed, "mlp"), 0, 2 * d * hidden).reshape(2, d, hidden)
    first = Adam(F(np.sqrt(-2.0 * np.log1p(-u[0])) * np.cos(2.0 * math.pi * u[1])))
    second = Adam(np.zeros((hidden, k), F))
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        sums, logits = np.zeros(hidden, F), np.zeros(k, F)
        entries = [(j, F(value)) for j, value in enumerate(x) if value]
        for j, value in entries:
            sums = sums + value * first.w[j]
        units = np.where(sums > 0, sums, LEAK * sums)
        for i in range(hidden):
            logits = logits + units[i] * second.w[i]
        p = softmax([float(z) for z in logits])
        best = argmax(p, uniform(key(seed, "ties"), t))
        probs = fastcb(p, best, 10.0 * math.sqrt(t))
        a = sample(probs, uniform(key(seed, "labels"), t))
        missed.append(a != y)
        g = np.array(bit_slopes(p, a, a == y), F)
        back = second.w @ g
        back = np.where(sums > 0, back, LEAK * back)
        step = rate * math.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        for i in range(hidden):
            second.learn(i, units[i] * g, F(step))
        for j, value in entries:
            first.learn(j, value * back, F(step * math.sqrt(len(entries))))

    def padded(array):
        return np.pad(array, ((0, 0), (0, lanes - k)))

    return {
        "inputs": first.w, "input_means": first.m, "input_squares": first.v,
        "outputs": padded(second.w), "output_means": padded(second.m),
        "output_squares": padded(second.v), "steps": [len(rows)],
    }, missed  # fmt: skip
