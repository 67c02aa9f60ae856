"""BanditBoost: boosting of weak binary learners from bandit feedback."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row
from onebit.kernel.sizes import Sizes
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.learners.shared import boosting
from onebit.learners.shared.boosting import (
    ADAPTIVE,
    initial_booster,
    score_by_votes,
    update_label,
)
from onebit.learners.weak import STARTS
from onebit.naming.params import Auto, OneOf, Real

LITERAL = 0
#: Used if the explorer has no delta.
DEFAULT_DELTA = 0.03


@learner(hears=Bit, explorer="delta")
class BanditBoost(NamedTuple):
    """Boosting from one bit: N weak binary learners for each label, and a weighted vote.

    The weight of a round for a weak learner is the smaller, the better those before it
    are; only the weak learners of the played label learn, since only that label is known to be
    right or wrong. Any weak learner that beats guessing on weighted rounds can be used.

    `step` is how the paper is read. `scaled`, the default, gives the weak learners weights
    between 0 and 1; linear ones read rows scaled to norm 10 beside a bias of 1, start at random
    and vote by cosine, so that the unit of the rows does not matter. `smooth` is the same with
    rows as they are, weights that start at zero: perceptrons then stay equal (where the first is
    wrong all are, at full weight), so that n only costs time. `literal` is equation 4: weights
    are divided by the probability of the played label, which makes them unbiased and
    heavy-tailed; rows have norm 1, weights start at random, votes are signs.

    `eta=auto` is the paper's delta^3 / labels, so small that the voting weights stay equal in
    any run of a practical length. `eta=adaptive` is the rate with the smallest bound on their
    regret, sqrt(ln n / sum of squared gradients so far), and does leave bad voters out; on rows
    where all are about as good it changes little.

    Units: `scaled` and `literal` do not depend on the unit of the rows; under `smooth` linear weak
    learners see a bias of 1 beside rows of any length. With `weak=stump` and `weak=naive-bayes` no
    reading does.

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

    vote: boosting.Vote
    n: boosting.Copies = 100
    advantage: boosting.Advantage = 0.1
    theta: boosting.Theta = "auto"  # type: ignore[assignment]
    eta: Annotated[
        float,
        Auto(Real("[0, inf)"), ("auto", ADAPTIVE)),
        "learning rate of the voting weights; auto: delta^3 / labels",
    ] = "auto"  # type: ignore[assignment]
    weak: boosting.Weak = "perceptron"
    step: Annotated[
        int,
        OneOf(("literal", "smooth", "scaled")),
        "weights by equation 4, or without 1 / prob; scaled: in rows of norm 10",
    ] = "scaled"  # type: ignore[assignment]
    start: Annotated[
        int, OneOf(("auto", *STARTS)), "initial weights; auto: zero if smooth, else random"
    ] = "auto"  # type: ignore[assignment]
    dtype: boosting.Dtype = "float64"  # type: ignore[assignment]
    voting: boosting.Voting = "multiplicative"  # type: ignore[assignment]
    delta: float = DEFAULT_DELTA

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> BanditBoost:
        """Return the first state: equal voting weights, new weak learners."""
        delta = params.get("delta", DEFAULT_DELTA)  # the explorer's
        if params["eta"] == "auto":
            params["eta"] = delta**3 / sizes.labels
        start = params["start"]
        if start == "auto":
            start = "zero" if params["step"] == "smooth" else "random"
        reading = params["step"]
        booster = initial_booster(cls, sizes, seed, params, reading=reading, start=start)
        return booster._replace(delta=delta)  # type: ignore[no-any-return]

    def remark(self) -> str | None:
        """Return a warning if the guarantee does not hold for delta."""
        if self.delta <= self.advantage:
            return None
        return (
            f"delta {self.delta:g} is above the advantage {self.advantage:g},"
            " which the theory does not cover."
        )

    def diagnostics(self) -> dict[str, Any]:
        """Return diagnostics: those of `boosting.diagnostics`, and Lemma 2's m.

        m is the number of weak learners before the first with a mean weight below delta.
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
    learner.vote.rounds[0] += 1.0
