"""Oracle. Halving."""

from oracles.helpers import argmax, right_labels

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed):
    """Littlestone 1988: majority vote of V_t, then remove those that did not predict y_t."""
    V = list(range(len(rows[0])))
    missed, empty = [], 0
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        Y = right_labels(y)
        votes = [sum(x[i] == label for i in V) for label in range(k)]
        missed.append(argmax(votes, uniform(key(seed, "ties"), t)) not in Y)
        V = [i for i in V if x[i] in Y or not Y]
        empty = empty or (0 if V else t)
    return {
        "alive": [i in V for i in range(len(rows[0]))],
        "round_counts": [len(rows), empty],
    }, missed
