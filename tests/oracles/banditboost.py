"""Oracle. BanditBoost, and what it shares with full-information boosting."""

import math

from oracles import weak
from oracles.helpers import argmax, sample

from onebit.kernel.rng import key, uniform

#: Norms are computed anew and voting weights are scaled differently: the last bits differ.
TOLERANCE = 1e-9


def smooth_weights(votes, y, advantage, theta):
    """Equations 2 and 3."""
    weights, z = [], 0.0
    for h in votes:
        # (1 - advantage)^(z/2), written with onebit's rounding: stumps compare these
        weights.append(min(math.exp(0.5 * math.log1p(-advantage) * z), 1.0))
        z += y * h - theta
    return weights


def mean(alpha, votes):
    """The mean of h weighted by alpha; labels tie if all their votes are equal."""
    return weak.inner(alpha, votes) / weak.inner(alpha, [1.0] * len(alpha))


class Adaptive:
    """eta=adaptive: weights exp(eta_t * sum of gains), eta_t = sqrt(ln n / sum of squares).

    A projected gradient has eta_t = 1 / sqrt(sum of squared Euclidean norms).
    """

    def __init__(self, k, n):
        self.gains, self.squares = [[0.0] * n for _ in range(k)], [0.0] * k

    def update(self, r, alpha, votes, y, prob, voting):
        gains = [y * h / prob for h in votes]
        sizes = [g * g for g in gains]
        self.squares[r] += max(sizes) if voting == "multiplicative" else sum(sizes)
        if self.squares[r] == 0:
            return alpha
        if voting == "gradient":
            eta = 1 / math.sqrt(self.squares[r])
            return simplex([a + eta * g for a, g in zip(alpha, gains, strict=True)])
        eta = math.sqrt(math.log(len(votes)) / self.squares[r])
        self.gains[r] = [a + b for a, b in zip(self.gains[r], gains, strict=True)]
        powers = [math.exp(eta * (g - max(self.gains[r]))) for g in self.gains[r]]
        return [p / sum(powers) for p in powers]


def vote_update(alpha, votes, y, theta, eta, prob, voting, r):
    """Equation 6, or the projected gradient, with the estimated subgradient of the hinge loss."""
    if not theta > y * mean(alpha, votes):
        return alpha
    if isinstance(eta, Adaptive):
        return eta.update(r, alpha, votes, y, prob, voting)
    gradient = [-y * h / prob for h in votes]
    if voting == "multiplicative":
        # scaled by the largest factor, as onebit does: signs vote, so equal sums must tie
        steps = [eta / prob * (y * h) for h in votes]
        alpha = [a * math.exp(s - max(steps)) for a, s in zip(alpha, steps, strict=True)]
        total = weak.inner(alpha, [1.0] * len(alpha))
        return [a / total for a in alpha]
    return simplex([a - eta * g for a, g in zip(alpha, gradient, strict=True)])


def simplex(v):
    """The nearest point of the simplex, by sorting."""
    ordered, total, level = sorted(v, reverse=True), 0.0, 0.0
    for n, u in enumerate(ordered, 1):
        total += u
        if u - (total - 1) / n > 0:
            level = (total - 1) / n
    return [max(u - level, 0.0) for u in v]


def oracle(
    rows, truths, k, seed, n=100, advantage=0.1, delta=0.03, weak_learner="perceptron",
    step="scaled", start=None, voting="multiplicative", eta=None, columns=(),
):  # fmt: skip
    """Chen, Lin and Lu 2014, Algorithm 1; only step="literal" has the 1/p of equation 4."""
    theta = advantage / (2 + advantage)
    eta = delta**3 / k if eta is None else Adaptive(k, n) if eta == "adaptive" else eta
    start = start or ("zero" if step == "smooth" else "random")
    bank = weak.copies(weak_learner, len(rows[0]), k, n, seed, step, start, columns)
    alpha = [[1 / n] * n for _ in range(k)]
    totals, gains, missed = [0.0] * n, [0.0] * n, []
    for t, (x, y) in enumerate(zip(rows, truths, strict=True), 1):
        h = [[copy.vote(x) for copy in bank[r]] for r in range(k)]
        f = [mean(alpha[r], h[r]) for r in range(k)]
        guess = argmax(f, uniform(key(seed, "ties"), t))
        p = [delta / k + (1 - delta if r == guess else 0.0) for r in range(k)]
        played = sample(p, uniform(key(seed, "labels"), t))
        missed.append(played != y)
        truth = +1.0 if played == y else -1.0
        bar = smooth_weights(h[played], truth, advantage, theta)
        for i in range(n):
            estimate = bar[i] / p[played]  # equation 4
            totals[i] += estimate
            gains[i] += estimate * truth * h[played][i]
            bank[played][i].train(x, truth, estimate if step == "literal" else bar[i])
        alpha[played] = vote_update(
            alpha[played], h[played], truth, theta, eta, p[played], voting, played
        )
    state = {"vote.weights": alpha, "vote.totals": totals, "vote.gains": gains}
    state["vote.rounds"] = [len(rows)]
    state["vote.squared_gradients"] = getattr(eta, "squares", [])
    return state | weak.arrays(bank, "weak"), missed
