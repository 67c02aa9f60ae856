"""Oracle. Conservative one-versus-all."""

from oracles import weak
from oracles.plain import argmax

from onebit.kernel.rng import key, uniform

#: Only naive Bayes needs it, whose logarithms are summed in another order.
TOLERANCE = 1e-9


def oracle(rows, truths, k, seed, base="perceptron", rule="all-if-correct", columns=()):
    """Chen et al. 2009: the largest margin plays; a hit tells all labels, a miss the played one."""
    bank = weak.copies(base, len(rows[0]), k, 1, seed, "plain", "zero", columns)
    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        played = argmax([copy.vote(x) for (copy,) in bank], uniform(key(seed, "ties"), t))
        missed.append(played != y)
        for r in range(k) if played == y and rule == "all-if-correct" else [played]:
            bank[r][0].train(x, +1.0 if r == y else -1.0, 1.0)
    return weak.arrays(bank, "base"), missed
