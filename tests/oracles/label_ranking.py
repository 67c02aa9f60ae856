"""Oracle. Label ranking: r labels shown, one of them swapped with probability gamma."""

from oracles.helpers import columns, products, right_labels, sample

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed, r=2, gamma=0.05):
    """If j is picked, shown in place of i: w_j += x (k - r) / gamma, w_i -= x (k - r) / gamma.

    The user prefers the label picked over the others shown: none has a higher degree.
    """
    W = [[0.0] * len(rows[0]) for _ in range(k)]
    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        z = products(W, x)
        order = sorted(range(k), key=lambda label: (-z[label], label))
        shown, outside = order[:r], order[r:]
        rank = int(uniform(key(seed, "ties"), t) * r)
        i = shown[rank]
        P = [gamma / (k - r) if label in outside else 0.0 for label in range(k)]
        P[i] = 1.0 - gamma
        j = sample(P, uniform(key(seed, "labels"), t))
        shown[rank] = j
        degree = dict(y) if isinstance(y, dict) else dict.fromkeys(right_labels(y), 1.0)
        missed.append(not any(label in degree for label in shown))
        best = max(degree.get(label, 0.0) for label in shown)
        if j != i and degree.get(j) == best:
            step = 1.0 / (gamma / (k - r))
            for n, value in enumerate(x):
                W[j][n] += step * value
                W[i][n] -= step * value
    return {"weights": columns(W)}, missed
