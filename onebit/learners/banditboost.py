"""BanditBoost: strong labels from many weak binary learners, with one bit of feedback."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row
from onebit.kernel.state import Sizes
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.learners.shared import boosting
from onebit.learners.shared.boosting import initial_booster, score_by_votes, update_label
from onebit.learners.weak import STARTS, complaint_of, refusal_of
from onebit.naming.params import Auto, OneOf, Real

LITERAL = 0
#: Stands for the explorer's delta when it has none.
DELTA = 0.03


@learner(hears=Bit, explorer="delta")
class BanditBoost(NamedTuple):
    """Boosting with one bit: N weak binary learners for each label, and a vote among them.

    A round's weight for a weak learner is the smaller, the better those before it
    do; only the played label's weak learners learn, since only of that label the
    truth is known. Any weak learner will do that beats guessing on weighted rounds.

    `step=literal` is the paper's equation 4: weights are divided by the
    probability of the played label, which makes them unbiased and heavy-tailed;
    linear weak learners get rows of length 1, start at random and vote by sign.
    `step=smooth`, the default, leaves the division out: rows get a bias feature,
    weights start at zero, votes are cosines. It is the reading that matches the
    published table, and mostly does better. From zero, though, perceptrons stay equal
    (where the first errs all do, at full weight), so that n only costs time. To gain
    from n, give `start=random` or `weak=naive-bayes`.

    Reference: Chen, Lin and Lu, "Boosting with online binary learners for the
    multiclass bandit problem", ICML 2014, Algorithm 1 (with theta > 0, and the
    estimate 4 taken of the weights 2).

    Guarantee: O(K delta T / advantage) errors with probability 1 - 3 delta, if the
    weak learners have twice the assumed advantage on every large enough sum of
    weights, delta <= advantage, n is of order K / (delta advantage)^2 and T of order
    (K^2 / delta^4) log(K / delta) (Theorem 1, for `step=literal`).

    >>> from onebit import Agent
    >>> agent = Agent("banditboost", labels=["tea", "coffee"], n=10, features=1, seed=1)
    >>> for _ in range(9):
    ...     choice = agent.decide([1.0])
    ...     agent.learn(choice, correct=choice.label == "coffee")
    >>> agent.predict([1.0])
    'coffee'
    """

    voters: boosting.PerLabelAndCopy
    totals: boosting.PerCopy
    gains: boosting.PerCopy
    rounds: boosting.RoundCount
    votes: boosting.Votes
    weights: boosting.RoundWeights
    n: boosting.Copies = 100
    advantage: boosting.Advantage = 0.1
    theta: boosting.Theta = "auto"  # type: ignore[assignment]
    eta: Annotated[
        float, Auto(Real("[0, inf)")), "rate of the voting weights: delta^3 / labels"
    ] = "auto"  # type: ignore[assignment]
    weak: boosting.Weak = "perceptron"
    step: Annotated[
        int, OneOf(("literal", "smooth")), "weights by equation 4, or without 1 / prob"
    ] = "smooth"  # type: ignore[assignment]
    start: Annotated[
        int, OneOf(("auto", *STARTS)), "first weights; auto: random if literal, else zero"
    ] = "auto"  # type: ignore[assignment]
    dtype: boosting.Dtype = "float64"  # type: ignore[assignment]
    voting: boosting.Voting = "multiplicative"  # type: ignore[assignment]
    delta: float = DELTA

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> BanditBoost:
        """Return a booster whose weak learners vote with equal weights."""
        delta = params.get("delta", DELTA)  # the explorer's
        if params["eta"] == "auto":
            params["eta"] = delta**3 / sizes.labels
        start = params["start"]
        if start == "auto":
            start = "random" if params["step"] == "literal" else "zero"
        reading = params["step"]
        booster = initial_booster(cls, sizes, seed, params, reading=reading, start=start)
        return booster._replace(delta=delta)  # type: ignore[no-any-return]

    def complaint(self) -> str | None:
        """Pass on what the weak learners have to say."""
        return complaint_of(self.weak)

    def refusal(self, x: Row) -> str | None:
        """Pass on why the weak learners cannot vote on a row."""
        return refusal_of(self.weak, x)

    def remark(self) -> str | None:
        """Say that delta is outside of the theory."""
        if self.delta <= self.advantage:
            return None
        return (
            f"delta {self.delta:g} is above the advantage {self.advantage:g},"
            " which the theory does not cover."
        )

    def diagnostics(self) -> dict[str, Any]:
        """Return what a user of boosting looks at.

        Besides `boosting.diagnostics`, Lemma 2's m: how many weak learners in a row,
        from the first, were given a mean weight of at least delta.
        """
        found = boosting.diagnostics(self)
        enough = [weight >= self.delta for weight in found["weight"]]
        return {**found, "m": [*enough, False].index(False)}


@implements(score, BanditBoost)
def _(learner: BanditBoost, x: Row, out: Floats) -> None:
    score_by_votes(learner, x, out)


@implements(learn, BanditBoost)
def _(learner: BanditBoost, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    y = 1.0 if feedback.correct else -1.0
    literal = learner.step == LITERAL
    update_label(learner, x, played.label, y, played.prob, literal, scores[played.label])
    learner.rounds[0] += 1.0
