"""Oracle. Winnow, normalised, on the doubled row."""

import math

from oracles.helpers import argmax, right_labels

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed, signed="yes", eta=None, radius=1.0, margin=0.1):
    """w_1 = 1/d; on a mistake w_i *= exp(eta y x_i), and w is divided by its sum."""
    if eta is None:
        eta = math.log((radius + margin) / (radius - margin)) / (2.0 * radius)
    d = len(rows[0])
    sides = 2 if signed == "yes" else 1
    plus, minus = [1.0 / (d * sides)] * d, [(sides - 1.0) / (d * sides)] * d
    missed, negative, positive = [], 0.0, 0.0
    for t, (x, truth) in enumerate(zip(rows, truths, strict=True), 1):
        z = 0.0
        for value, w, v in zip(x, plus, minus, strict=True):
            z += value * (w - v)  # the doubled row [x, -x] by the weights [plus, minus]
        guess = argmax([z, -z], uniform(key(seed, "ties"), t))
        right = right_labels(truth)
        missed.append(guess not in right)
        wrong = guess not in right and len(right) > 0
        if min(x) < 0:
            negative += 1.0
        elif wrong:
            positive += 1.0
        if wrong:
            y = 1.0 if 0 in right else -1.0
            for j, value in enumerate(x):
                plus[j] *= math.exp(eta * y * value)
                minus[j] *= math.exp(-eta * y * value)
            total = 0.0
            for w, v in zip(plus, minus, strict=True):
                total += w + v
            plus, minus = [w / total for w in plus], [v / total for v in minus]
    weights = [list(pair) for pair in zip(plus, minus, strict=True)]
    return {"weights": weights, "sign_counts": [negative, positive]}, missed
