"""Oracle. The most frequent label so far."""

from oracles.helpers import argmax, right_labels

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed):
    """The most frequent label so far, ties at random."""
    counts = [0.0] * k
    missed = []
    for t, y in enumerate(truths, 1):
        missed.append(argmax(counts, uniform(key(seed, "ties"), t)) not in right_labels(y))
        for label in right_labels(y):
            counts[label] += 1.0
    return {"counts": counts}, missed
