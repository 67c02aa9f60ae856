"""Oracle. Conservative one-versus-all."""

from oracles import weak
from oracles.helpers import argmax

from onebit.kernel.rng import key, uniform

#: For naive Bayes, whose logarithms are added in another order.
TOLERANCE = 1e-9


def oracle(rows, truths, k, seed, base="perceptron", rule="all-if-correct", columns=()):
    """Chen et al. 2009: play the largest margin; all labels learn if it is right, else it alone."""
    bank = weak.copies(base, len(rows[0]), k, 1, seed, "plain", "zero", columns)
    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        played = argmax([copy.vote(x) for (copy,) in bank], uniform(key(seed, "ties"), t))
        missed.append(played != y)
        for r in range(k) if played == y and rule == "all-if-correct" else [played]:
            bank[r][0].train(x, +1.0 if r == y else -1.0, 1.0)
    return weak.arrays(bank, "base"), missed
