"""Oracle. Online boosting with full information."""

from oracles import weak
from oracles.banditboost import TOLERANCE, Adaptive, mean, smooth_weights, vote_update
from oracles.helpers import argmax, right_labels

from onebit.kernel.rng import key, uniform

__all__ = ["TOLERANCE", "oracle"]


def oracle(
    rows, truths, k, seed, n=100, advantage=0.1, eta=0.01, weak_learner="perceptron",
    reading="scaled", start="random", voting="multiplicative", columns=(),
):  # fmt: skip
    """Chen, Lin and Lu 2012, one label against all others: all labels are updated."""
    theta = advantage / (2 + advantage)
    eta = Adaptive(k, n) if eta == "adaptive" else eta
    bank = weak.copies(weak_learner, len(rows[0]), k, n, seed, reading, start, columns)
    alpha = [[1 / n] * n for _ in range(k)]
    totals, gains, missed = [0.0] * n, [0.0] * n, []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        h = [[copy.vote(x) for copy in bank[r]] for r in range(k)]
        f = [mean(alpha[r], h[r]) for r in range(k)]
        missed.append(argmax(f, uniform(key(seed, "ties"), t)) not in right_labels(y))
        for r in range(k):
            truth = +1.0 if r in right_labels(y) else -1.0
            for i, weight in enumerate(smooth_weights(h[r], truth, advantage, theta)):
                totals[i] += weight
                gains[i] += weight * truth * h[r][i]
                bank[r][i].train(x, truth, weight)
            alpha[r] = vote_update(alpha[r], h[r], truth, theta, eta, 1.0, voting, r)
    state = {"vote.weights": alpha, "vote.totals": totals, "vote.gains": gains}
    state["vote.rounds"] = [len(rows)]
    state["vote.squared_gradients"] = getattr(eta, "squares", [])
    return state | weak.arrays(bank, "weak"), missed
