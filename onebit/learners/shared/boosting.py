"""What both boosters share: the state of the vote, parameters, the weights of a round.

Equation numbers are those of Chen, Lin and Lu, "Boosting with online binary learners for the
multiclass bandit problem", ICML 2014. `votes` are those of the N copies for one label, y is
+1 if that label is right and -1 if not, `prob` is the probability of this feedback (1 with
full information).
"""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.kernel.rows import Floats, Row
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import COUNTS, SCRATCH, Axes, initial_state
from onebit.kernel.verbs import kernel
from onebit.learners.weak import DTYPES, WeakLearner, make_bank, train, vote
from onebit.naming.params import Auto, OneOf, Real, Whole

# Types of the parameters that both boosters declare.
Copies = Annotated[int, Whole(1), "weak learners for each label"]
Advantage = Annotated[float, Real("(0, 0.5)"), "their assumed advantage over guessing"]
Theta = Annotated[
    float, Auto(Real("(0, 1)")), "margin required of them: advantage / (2 + advantage)"
]
Weak = Annotated[Any, WeakLearner(), "the weak learner"]
Dtype = Annotated[int, OneOf(DTYPES), "type of the weak learners' large arrays"]
Voting = Annotated[
    int, OneOf(("multiplicative", "gradient")), "equation 6, or a projected gradient"
]

#: The word for a learning rate of the voting weights that falls with the feedback that they had.
ADAPTIVE = "adaptive"
MULTIPLICATIVE, GRADIENT = range(2)
#: Lower bound of a voting weight, so that their sum cannot be zero.
MIN_VOTING_WEIGHT = 1e-100


class Vote(NamedTuple):
    """The state of a booster beside the N weak learners of each label.

    `totals` and `gains` are the sums of weights and of weighted correlations that diagnostics
    show; `squared_gradients`, summed for each label, are empty unless eta=adaptive; `votes` are
    those of the latest row, `round_weights` those of the latest update.
    """

    weights: Annotated[Floats, Axes("labels", "n", within="[0, 2]")]
    totals: Annotated[Floats, Axes("n")]
    gains: Annotated[Floats, Axes("n")]
    rounds: Annotated[Floats, Axes(1, within=COUNTS)]
    squared_gradients: Annotated[Floats, Axes("labels", within="[0, inf)")]
    votes: Annotated[Floats, Axes("labels", "n", role=SCRATCH)]
    round_weights: Annotated[Floats, Axes("n", role=SCRATCH)]

    def is_sound(self) -> bool:
        """Return whether the voting weights of each label sum to 1."""
        return bool((np.abs(self.weights.sum(axis=1) - 1.0) < 1e-6).all())


def initial_booster(
    kind: Any, sizes: Sizes, seed: int, params: dict[str, Any], **options: Any
) -> Any:
    """Return a booster with equal voting weights and new weak learners.

    `options` replace parameters of the booster as options of the weak learners.
    """
    if params["theta"] == "auto":
        params["theta"] = params["advantage"] / (2.0 + params["advantage"])
    params["weak"] = make_bank(params["weak"], sizes, seed, {**params, **options})
    adaptive = params["eta"] == ADAPTIVE
    first = initial_state(Vote, sizes, params)
    first.weights[:] = 1.0 / params["n"]
    if not adaptive:
        first = first._replace(squared_gradients=np.zeros(0))
    numbers = {**params, "eta": 0.0} if adaptive else params
    return initial_state(kind, sizes, numbers, vote=first)


@kernel
def score_by_votes(learner: Any, x: Row, out: Floats) -> None:
    """Set out[k] to the weighted mean vote of label k's weak learners."""
    vote(learner.weak, x, learner.vote.votes)
    average_votes(learner.vote.weights, learner.vote.votes, out)


@kernel
def update_label(
    learner: Any, x: Row, label: int, y: float, prob: float, unbiased: bool, score: float
) -> None:
    """Update the weak learners and the voting weights of a label.

    `unbiased` divides the weights of the weak learners' round by `prob` (equation 4).
    """
    votes, weights = learner.vote.votes[label], learner.vote.round_weights
    smooth_weights(votes, y, learner.advantage, learner.theta, weights)
    add_to_diagnostics(votes, y, weights, prob, learner.vote.totals, learner.vote.gains)
    if unbiased:
        for i in range(weights.shape[0]):
            weights[i] /= prob
    train(learner.weak, x, label, y, weights)
    if learner.theta > y * score:
        alpha, rate, keep = learner.vote.weights[label], learner.eta, 1.0
        if learner.vote.squared_gradients.shape[0] > 0:
            before = learner.vote.squared_gradients[label]
            after = before + squared_size(votes, learner.voting) / (prob * prob)
            learner.vote.squared_gradients[label] = after
            rate = adaptive_rate(after, votes.shape[0], learner.voting)
            keep = math.sqrt(before / after) if after > 0.0 else 1.0
        update_voting_weights(alpha, votes, y, rate / prob, keep, learner.voting)


@kernel
def average_votes(alpha: Floats, votes: Floats, out: Floats) -> None:
    """Set out[k] to the mean of label k's votes, weighted by alpha[k].

    The weights sum to 1 up to rounding; dividing by their sum makes labels tie on which all
    votes are the same.
    """
    for k in range(out.shape[0]):
        total, weight = 0.0, 0.0
        for i in range(alpha.shape[1]):
            total += alpha[k, i] * votes[k, i]
            weight += alpha[k, i]
        out[k] = total / weight


@kernel
def smooth_weights(votes: Floats, y: float, advantage: float, theta: float, out: Floats) -> None:
    """Set out[i] to the weight of the round for copy i, by equations 2 and 3.

    It is smaller if the copies before it are right.
    """
    rate = 0.5 * math.log1p(-advantage)
    z = 0.0
    for i in range(out.shape[0]):
        out[i] = math.exp(rate * z) if z > 0.0 else 1.0
        z += y * votes[i] - theta


@kernel
def add_to_diagnostics(
    votes: Floats, y: float, weights: Floats, prob: float, totals: Floats, gains: Floats
) -> None:
    """Add the weight of equation 4 to `totals`, and times the correlation y * vote to `gains`."""
    for i in range(weights.shape[0]):
        weight = weights[i] / prob
        totals[i] += weight
        gains[i] += weight * (y * votes[i])


@kernel
def squared_size(votes: Floats, voting: int) -> float:
    """Return the squared norm of a gradient: the largest square, or their sum if projected."""
    most, total = 0.0, 0.0
    for i in range(votes.shape[0]):
        most = max(most, votes[i] * votes[i])
        total += votes[i] * votes[i]
    return most if voting == MULTIPLICATIVE else total


@kernel
def adaptive_rate(squares: float, n: int, voting: int) -> float:
    """Return sqrt(ln n / squares) for equation 6, 1 / sqrt(squares) for a projected gradient."""
    if squares <= 0.0:
        return 0.0
    return math.sqrt((math.log(n) if voting == MULTIPLICATIVE else 1.0) / squares)


@kernel
def update_voting_weights(
    alpha: Floats, votes: Floats, y: float, rate: float, keep: float, voting: int
) -> None:
    """Increase the voting weights alpha of the copies of a label that were right.

    By equation 6, or by a gradient step projected onto the simplex; `rate` is eta / prob. `keep`
    is how much smaller eta is than at the last step: with weights to that power, equation 6
    counts all steps at the same rate.
    """
    if voting == MULTIPLICATIVE:
        most = -math.inf
        for i in range(alpha.shape[0]):
            most = max(most, rate * (y * votes[i]))
        total = 0.0
        for i in range(alpha.shape[0]):
            if keep < 1.0:
                alpha[i] = math.exp(keep * math.log(alpha[i]))
            alpha[i] *= math.exp(rate * (y * votes[i]) - most)
            total += alpha[i]
        for i in range(alpha.shape[0]):
            alpha[i] = max(alpha[i] / total, MIN_VOTING_WEIGHT)
    else:
        for i in range(alpha.shape[0]):
            alpha[i] += rate * (y * votes[i])
        project_onto_simplex(alpha)


@kernel
def project_onto_simplex(alpha: Floats) -> None:
    """Replace alpha by the nearest point that is not negative and sums to 1 (Michelot 1986)."""
    dropped, above = True, 0.0
    while dropped:
        total, count = 0.0, 0
        for i in range(alpha.shape[0]):
            if alpha[i] > -math.inf:
                total += alpha[i]
                count += 1
        above = (total - 1.0) / count
        dropped = False
        for i in range(alpha.shape[0]):
            if -math.inf < alpha[i] <= above:
                alpha[i] = -math.inf
                dropped = True
    total = 0.0
    for i in range(alpha.shape[0]):
        alpha[i] = max(alpha[i] - above, 0.0)
        total += alpha[i]
    for i in range(alpha.shape[0]):
        alpha[i] /= total


def diagnostics(learner: Any) -> dict[str, Any]:
    """Return diagnostics of a booster.

    `advantage` of each weak learner, as the weighted mean over all rounds; `weight`, the mean
    weight of each per round and label; `effective_voters` of each label: 1 / sum of squared
    voting weights.
    """
    known: Vote = learner.vote
    rounds = max(1.0, float(known.rounds[0]))
    with np.errstate(invalid="ignore", divide="ignore"):
        advantage = np.where(known.totals > 0.0, known.gains / known.totals, 0.0)
    return {
        "advantage": advantage.tolist(),
        "weight": (known.totals / (rounds * known.weights.shape[0])).tolist(),
        "effective_voters": (1.0 / (known.weights**2).sum(axis=1)).tolist(),
    }
