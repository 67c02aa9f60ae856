"""Functions on lists of numbers that the oracles share.

An oracle is a slow reference implementation of one learner, written from its paper, in a
file of the learner's name: `oracle(rows, truths, k, seed, **params)` returns the expected
arrays of the learner's state, by name, and which rounds were mistakes. It imports nothing of
onebit but the random generator, `onebit.kernel.rng`, works row by row, and cites the line of
the paper for each step.
"""

import math


def argmax(scores, u):
    """The label with the highest score; u breaks ties."""
    top = max(scores)
    ties = [k for k, s in enumerate(scores) if s == top]
    return ties[int(u * len(ties))]


def right_labels(y):
    """The right labels of a round, which may be one."""
    return set(y) if isinstance(y, set | frozenset) else {y}


def sample(probs, u):
    """A label drawn with these probabilities, where u is uniform."""
    total = 0.0
    for k, p in enumerate(probs):
        total += p
        if u < total:
            return k
    return max(k for k, p in enumerate(probs) if p > 0)


def products(W, x):
    """(W x)_r for every label r, features in ascending order."""
    scores = []
    for row in W:
        total = 0.0
        for w, value in zip(row, x, strict=True):
            total += value * w
        scores.append(total)
    return scores


def columns(W):
    """The weights in the layout of onebit: one row per feature."""
    return [list(column) for column in zip(*W, strict=True)]


def epsilon(guess, k, gamma):
    """The probabilities of Algorithm 1: gamma / k for all, plus 1 - gamma for the guess."""
    return [gamma / k + (1.0 - gamma if r == guess else 0.0) for r in range(k)]


def runner_up(scores, label):
    """The label with the highest score except `label`; the first if several are equal."""
    return max((k for k in range(len(scores)) if k != label), key=lambda k: (scores[k], -k))


def normalise(scores):
    """Scores divided by their sum."""
    total = 0.0
    for s in scores:
        total += s
    return [s / total for s in scores]


def softmax(scores):
    """exp(z) over the sum of all, from the highest score on."""
    return normalise([math.exp(z - max(scores)) for z in scores])


def fastcb(estimates, best, gamma):
    """Foster and Krishnamurthy 2021, Algorithm 1: probabilities from estimates of being right."""
    k, least = len(estimates), 1.0 - estimates[best]
    probs = [
        1.0 / k if f == estimates[best] else least / (k * least + gamma * (estimates[best] - f))
        for f in estimates
    ]
    rest = 1.0
    for r in range(k):
        rest -= probs[r] if r != best else 0.0
    probs[best] = rest
    return probs


def bit_slopes(p, played, correct):
    """The gradient by the scores of -log p_a if the bit is right, of -log(1 - p_a) if not."""
    a = p[played]
    if correct:
        return [each - (1.0 if r == played else 0.0) for r, each in enumerate(p)]
    share = a / max(1.0 - a, 1e-6)
    return [a if r == played else -share * each for r, each in enumerate(p)]
