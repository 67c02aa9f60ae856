"""Oracle. The Banditron."""

from oracles.helpers import argmax, columns, products, sample

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed, gamma=0.05, update="paper"):
    """Kakade et al. 2008, Algorithm 1, the first indicator of the played label (Lemma 4).

    Its other unbiased updates: E[Z] = U, U_r = x (1[y = r] - 1[guess = r]), for
    Z_r = 1[played = r] U_r / P(r), which needs 1[y = r] of the played label alone, and for
    Z = 1[played = y] U / P(y), since U is known when the label was right.
    """
    W = [[0.0] * len(rows[0]) for _ in range(k)]
    missed = []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        guess = argmax(products(W, x), uniform(key(seed, "ties"), t))
        P = [gamma / k + (1.0 - gamma if r == guess else 0.0) for r in range(k)]
        played = sample(P, uniform(key(seed, "labels"), t))
        missed.append(played != y)
        for r in range(k):
            U = (1.0 if y == r else 0.0) - (1.0 if guess == r else 0.0)
            if update == "paper":
                hit = (1.0 / P[r]) if (y == played and played == r) else 0.0
                step = hit - (1.0 if guess == r else 0.0)
            elif update == "played":
                step = U / P[r] if played == r else 0.0
            else:
                step = U / P[y] if played == y else 0.0
            for j, value in enumerate(x):
                W[r][j] += step * value
    return {"weights": columns(W)}, missed
