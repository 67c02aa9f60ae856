"""What both boosters do with the votes of their weak learners.

Equations are those of Chen, Lin and Lu, "Boosting with online binary learners for the
multiclass bandit problem", ICML 2014. `votes` are those of the N copies for one label, y is
+1 if that label is right and -1 if not, `prob` is that of having been told so (1 with
full information).
"""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from onebit.kernel.rows import Floats, Row
from onebit.kernel.state import Axes, Sizes, initial_state
from onebit.kernel.verbs import kernel, no_refcount
from onebit.learners.weak import DTYPES, WeakLearner, bank_of, train, vote
from onebit.naming.params import Auto, OneOf, Real, Whole

# The fields that both boosters declare.
PerLabelAndCopy = Annotated[Floats, Axes("labels", "n")]
PerCopy = Annotated[Floats, Axes("n")]
RoundCount = Annotated[Floats, Axes(1)]
Votes = Annotated[Floats, Axes("labels", "n", kept=False)]
RoundWeights = Annotated[Floats, Axes("n", kept=False)]
Copies = Annotated[int, Whole(1), "weak learners for each label"]
Advantage = Annotated[float, Real("(0, 0.5)"), "how much better than guessing they are taken to be"]
Theta = Annotated[float, Auto(Real("(0, 1)")), "margin asked of them: advantage / (2 + advantage)"]
Weak = Annotated[Any, WeakLearner(), "the weak learner"]
Dtype = Annotated[int, OneOf(DTYPES), "type of the weak learners' large arrays"]
Voting = Annotated[
    int, OneOf(("multiplicative", "gradient")), "equation 6, or a projected gradient"
]

MULTIPLICATIVE, GRADIENT = range(2)
#: A voting weight never falls below this, so that their sum cannot be zero.
LEAST = 1e-100


def initial_booster(
    kind: Any, sizes: Sizes, seed: int, params: dict[str, Any], **options: Any
) -> Any:
    """Return a booster whose weak learners vote with equal weights.

    `options` are those of the weak learners that differ from the booster's parameters.
    """
    if params["theta"] == "auto":
        params["theta"] = params["advantage"] / (2.0 + params["advantage"])
    params["weak"] = bank_of(params["weak"], sizes, seed, {**params, **options})
    booster = initial_state(kind, sizes, params)
    booster.voters[:] = 1.0 / booster.n
    return booster


@no_refcount
@kernel
def score_by_votes(learner: Any, x: Row, out: Floats) -> None:
    """Let all weak learners vote on a row, and set out[k] to the mean vote for label k."""
    vote(learner.weak, x, learner.votes)
    tally(learner.voters, learner.votes, out)


@no_refcount
@kernel
def update_label(
    learner: Any, x: Row, label: int, y: float, prob: float, unbiased: bool, score: float
) -> None:
    """Update the weak learners and the voting weights of a label.

    The weak learners get the weights of equation 2, divided by `prob` if `unbiased`.
    """
    votes, weights = learner.votes[label], learner.weights
    smooth(votes, y, learner.advantage, learner.theta, weights)
    credit(votes, y, weights, prob, learner.totals, learner.gains)
    if unbiased:
        for i in range(weights.shape[0]):
            weights[i] /= prob
    train(learner.weak, x, label, y, weights)
    if learner.theta > y * score:
        elect(learner.voters[label], votes, y, learner.eta / prob, learner.voting)


@no_refcount
@kernel
def tally(voters: Floats, votes: Floats, out: Floats) -> None:
    """Set out[k] to the mean of label k's votes by the weights of its voters.

    The weights sum to 1 but for rounding; divided by their sum, labels on which all
    voters agree are equals, and not ranked by that rounding.
    """
    for k in range(out.shape[0]):
        total, weight = 0.0, 0.0
        for i in range(voters.shape[1]):
            total += voters[k, i] * votes[k, i]
            weight += voters[k, i]
        out[k] = total / weight


@no_refcount
@kernel
def smooth(votes: Floats, y: float, advantage: float, theta: float, out: Floats) -> None:
    """Set out[i] to the weight of the round for copy i: less if the copies before it do well.

    Equations 2 and 3.
    """
    rate = 0.5 * math.log1p(-advantage)
    z = 0.0
    for i in range(out.shape[0]):
        out[i] = math.exp(rate * z) if z > 0.0 else 1.0
        z += y * votes[i] - theta


@no_refcount
@kernel
def credit(
    votes: Floats, y: float, weights: Floats, prob: float, totals: Floats, gains: Floats
) -> None:
    """Note the weight of the round for each copy by equation 4, and how much it had right."""
    for i in range(weights.shape[0]):
        weight = weights[i] / prob
        totals[i] += weight
        gains[i] += weight * (y * votes[i])


@no_refcount
@kernel
def elect(voters: Floats, votes: Floats, y: float, rate: float, voting: int) -> None:
    """Move the voting weights of a label towards the voters that were right.

    `rate` is eta / prob. Equation 6, or a step along the gradient and back onto the simplex.
    """
    if voting == MULTIPLICATIVE:
        most = -math.inf
        for i in range(voters.shape[0]):
            most = max(most, rate * (y * votes[i]))
        total = 0.0
        for i in range(voters.shape[0]):
            voters[i] *= math.exp(rate * (y * votes[i]) - most)
            total += voters[i]
        for i in range(voters.shape[0]):
            voters[i] = max(voters[i] / total, LEAST)
    else:
        for i in range(voters.shape[0]):
            voters[i] += rate * (y * votes[i])
        project(voters)


@no_refcount
@kernel
def project(voters: Floats) -> None:
    """Replace the weights by the nearest that are not negative and sum to 1 (Michelot 1986)."""
    dropped, above = True, 0.0
    while dropped:
        total, count = 0.0, 0
        for i in range(voters.shape[0]):
            if voters[i] > -math.inf:
                total += voters[i]
                count += 1
        above = (total - 1.0) / count
        dropped = False
        for i in range(voters.shape[0]):
            if -math.inf < voters[i] <= above:
                voters[i] = -math.inf
                dropped = True
    total = 0.0
    for i in range(voters.shape[0]):
        voters[i] = max(voters[i] - above, 0.0)
        total += voters[i]
    for i in range(voters.shape[0]):
        voters[i] /= total


def diagnostics(learner: Any) -> dict[str, Any]:
    """Return what a user of boosting looks at, from a booster's state.

    `advantage` of each weak learner, over all rounds by their weights; `weight`, each
    one's mean weight a round and label; `effective_voters` of each label: 1 / sum of
    squared voting weights.
    """
    rounds = max(1.0, float(learner.rounds[0]))
    with np.errstate(invalid="ignore", divide="ignore"):
        advantage = np.where(learner.totals > 0.0, learner.gains / learner.totals, 0.0)
    return {
        "advantage": advantage.tolist(),
        "weight": (learner.totals / (rounds * learner.voters.shape[0])).tolist(),
        "effective_voters": (1.0 / (learner.voters**2).sum(axis=1)).tolist(),
    }
