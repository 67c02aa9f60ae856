"""What the oracles share: plain steps on lists of numbers.

An oracle is a slow version of one learner, written from its paper's lines in a
file of the learner's name: `oracle(rows, truths, k, seed, **params)` returns
the expected arrays of the learner's state, by name, and which rounds were
missed. It imports nothing of onebit but `chance`, works row by row, and says
which line of the paper each step is.
"""


def argmax(scores, u):
    """The highest score; u picks among equals."""
    top = max(scores)
    ties = [k for k, s in enumerate(scores) if s == top]
    return ties[int(u * len(ties))]


def sample(probs, u):
    """The label on which u falls."""
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
    """The weights as onebit lays them out: one row a feature."""
    return [list(column) for column in zip(*W, strict=True)]


def epsilon(guess, k, gamma):
    """Algorithm 1's probabilities: gamma / k for all, and the rest for the guess."""
    return [gamma / k + (1.0 - gamma if r == guess else 0.0) for r in range(k)]


def runner_up(scores, label):
    """The best of the other labels; of equals the first."""
    return max((k for k in range(len(scores)) if k != label), key=lambda k: (scores[k], -k))


def shares(scores):
    """Probabilities in proportion to scores."""
    total = 0.0
    for s in scores:
        total += s
    return [s / total for s in scores]
