"""Oracle. Halving with one bit."""

from oracles.helpers import argmax

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed):
    """Kakade et al. 2008, Section 4: a mistake removes those that voted for the played label."""
    V = list(range(len(rows[0])))
    missed, empty = [], 0
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        votes = [sum(x[i] == label for i in V) for label in range(k)]
        played = argmax(votes, uniform(key(seed, "ties"), t))
        missed.append(played != y)
        if played != y:
            V = [i for i in V if x[i] != played]
        empty = empty or (0 if V else t)
    return {
        "alive": [i in V for i in range(len(rows[0]))],
        "round_counts": [len(rows), empty],
    }, missed
