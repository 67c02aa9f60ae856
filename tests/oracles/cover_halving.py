"""Oracle. Halving on a cover of the linear separators."""

import itertools
import math

from oracles.helpers import argmax, products

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed, D=6.0):
    """Kakade et al. 2008, Theorem 7: a grid, finer than 1/sqrt(d), of the ball of W*.

    With a spacing of .99/sqrt(d), rounding moves a row's score by at most .495 < 1/2, and the
    matrix by at most half a cell's diagonal.
    """
    d = len(rows[0])
    spacing = 0.99 / math.sqrt(d)
    R = math.sqrt(D / 2.0)
    side = math.floor(R / spacing + 0.5)
    radius = R + spacing * math.sqrt(d * k) / 2.0
    points = [
        tuple(step * spacing for step in steps)
        for steps in itertools.product(range(-side, side + 1), repeat=d)
    ]
    grid = list(itertools.product(range(len(points)), repeat=k))
    squares = [sum(value**2 for value in point) for point in points]
    V = [W for W in grid if sum(squares[p] for p in W) <= radius**2]
    missed, empty = [], 0
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        scores = products(points, x)
        said = [max(range(k), key=lambda r, W=W: scores[W[r]]) for W in V]
        votes = [said.count(label) for label in range(k)]
        played = argmax(votes, uniform(key(seed, "ties"), t))
        missed.append(played != y)
        if played != y:
            V = [W for W, label in zip(V, said, strict=True) if label != played]
        empty = empty or (0 if V else t)
    left = set(V)
    alive = [W in left for W in grid]
    width = len(points)
    lines = [alive[n : n + width] for n in range(0, len(alive), width)]
    return {
        "alive": lines,
        "remaining": [sum(line) for line in lines],
        "round_counts": [len(rows), empty],
    }, missed
