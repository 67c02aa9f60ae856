"""Oracle. The standard optimal algorithm."""

import functools

from oracles.helpers import argmax, right_labels

from onebit.kernel.rng import key, uniform


def dimension(V, instances):
    """Littlestone's recursion on sets of hypotheses, over all instances (columns).

    Ldim(V) = max over x, y != y' of 1 + min(Ldim(V with h(x) = y), Ldim(V with h(x) = y')).
    """

    @functools.cache
    def recurse(V):
        best = 0 if V else -1
        for column in instances:
            parts = {}
            for i in V:
                parts.setdefault(column[i], set()).add(i)
            sets = [frozenset(part) for part in parts.values()]
            for a in sets:
                for b in sets:
                    if a != b:
                        best = max(best, 1 + min(recurse(a), recurse(b)))
        return best

    return recurse(frozenset(V))


def oracle(rows, truths, k, seed, table=None):
    """Play the label whose consistent hypotheses have the largest dimension.

    Without a table any advice is possible, so that n hypotheses can always be halved: their
    dimension is log2 n, rounded down.
    """
    V = set(range(len(rows[0])))
    missed, empty = [], 0
    instances = None if table is None else tuple(zip(*table.split("/"), strict=True))
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        Y = right_labels(y)
        scores = []
        for label in range(k):
            part = {i for i in V if x[i] == label}
            free = len(part).bit_length() - 1
            scores.append(free if instances is None or not part else dimension(part, instances))
        missed.append(argmax(scores, uniform(key(seed, "ties"), t)) not in Y)
        V = {i for i in V if x[i] in Y or not Y}
        empty = empty or (0 if V else t)
    return {
        "alive": [i in V for i in range(len(rows[0]))],
        "round_counts": [len(rows), empty],
    }, missed
