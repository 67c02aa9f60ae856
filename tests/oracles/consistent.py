"""Oracle. The first consistent hypothesis."""

from oracles.helpers import argmax, right_labels

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed):
    """Dekel's lecture: h_t is the first of V_t, the hypotheses right in all rounds before t."""
    V = list(range(len(rows[0])))
    missed, empty = [], 0
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        Y = right_labels(y)
        scores = [0.0] * k
        if V:
            scores[int(x[V[0]])] = 1.0
        missed.append(argmax(scores, uniform(key(seed, "ties"), t)) not in Y)
        V = [i for i in V if x[i] in Y or not Y]
        empty = empty or (0 if V else t)
    return {
        "alive": [i in V for i in range(len(rows[0]))],
        "round_counts": [len(rows), empty],
    }, missed
