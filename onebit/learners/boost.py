"""Boost: online boosting with full information, the twin of BanditBoost."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from onebit.kernel.round import Label, Played, learn, score
from onebit.kernel.rows import Floats, Row
from onebit.kernel.state import Axes, Sizes, initial_state
from onebit.kernel.verbs import implements, kernel, no_refcount
from onebit.learners import learner
from onebit.learners.shared import boosting
from onebit.learners.shared.boosting import credit, elect, smooth, tally
from onebit.learners.weak import (
    DTYPES,
    READINGS,
    STARTS,
    WeakLearner,
    bank_of,
    complaint_of,
    refusal_of,
    train,
    vote,
)
from onebit.naming.params import Auto, OneOf, Real, Whole


@learner(hears=Label)
class Boost(NamedTuple):
    """Online boosting, told the true label: what the bit costs BanditBoost is measured by it.

    Every round every label's weak learners learn whether their label was right,
    with smooth weights: the smaller, the better those before them do. As in BanditBoost,
    perceptrons that start at zero stay equal; `start=random` parts them.

    Reference: Chen, Lin and Lu, "An online boosting algorithm with theoretical
    justifications", ICML 2012, one label against all others for several labels; voting
    weights as in their ICML 2014 paper (equation 6) or by a projected gradient.

    Guarantee: on binary problems, the error is at most any wished one after enough rounds,
    if weak learners have twice the assumed advantage on every large enough sum of weights.

    >>> from onebit import Agent
    >>> agent = Agent("boost", labels=["tea", "coffee"], n=10, features=1, seed=1)
    >>> agent.learn(agent.decide([1.0]), truth="coffee")
    >>> agent.predict([1.0])
    'coffee'
    """

    voters: Annotated[Floats, Axes("labels", "n")]
    totals: Annotated[Floats, Axes("n")]
    gains: Annotated[Floats, Axes("n")]
    rounds: Annotated[Floats, Axes(1)]
    votes: Annotated[Floats, Axes("labels", "n", kept=False)]
    weights: Annotated[Floats, Axes("n", kept=False)]
    n: Annotated[int, Whole(1), "weak learners for each label"] = 100
    advantage: Annotated[
        float, Real("(0, 0.5)"), "how much better than guessing they are taken to be"
    ] = 0.1
    theta: Annotated[
        float, Auto(Real("(0, 1)")), "margin asked of them: advantage / (2 + advantage)"
    ] = "auto"  # type: ignore[assignment]
    eta: Annotated[float, Real("[0, inf)"), "rate of the voting weights"] = 0.01
    weak: Annotated[Any, WeakLearner(), "the weak learner"] = "perceptron"
    reading: Annotated[
        int, OneOf(READINGS[1:]), "rows with a bias, or of length 1; votes to match"
    ] = "smooth"  # type: ignore[assignment]
    start: Annotated[int, OneOf(STARTS), "first weights"] = "zero"  # type: ignore[assignment]
    dtype: Annotated[int, OneOf(DTYPES), "type of the weak learners' large arrays"] = "float64"  # type: ignore[assignment]
    voting: Annotated[
        int, OneOf(("multiplicative", "gradient")), "equation 6, or a projected gradient"
    ] = "multiplicative"  # type: ignore[assignment]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Boost:
        """Return a booster whose weak learners vote with equal weights."""
        if params["theta"] == "auto":
            params["theta"] = params["advantage"] / (2.0 + params["advantage"])
        params["weak"] = bank_of(params["weak"], sizes, seed, dict(params))
        booster = initial_state(cls, sizes, params)
        booster.voters[:] = 1.0 / booster.n
        return booster

    def complaint(self) -> str | None:
        """Pass on what the weak learners have to say."""
        return complaint_of(self.weak)

    def refusal(self) -> str | None:
        """Pass on why the weak learners cannot vote on a row."""
        return refusal_of(self.weak)

    def diagnostics(self) -> dict[str, Any]:
        """Return what a user of boosting looks at."""
        return boosting.diagnostics(self)


@implements(score, Boost)
def _(learner: Boost, x: Row, out: Floats) -> None:
    vote(learner.weak, x, learner.votes)
    tally(learner.voters, learner.votes, out)


@implements(learn, Boost)
def _(learner: Boost, x: Row, scores: Floats, played: Played, feedback: Label) -> None:
    learner.rounds[0] += 1.0
    for k in range(scores.shape[0]):
        tell(learner, x, k, 1.0 if k == feedback.truth else -1.0, scores[k])


@no_refcount
@kernel
def tell(learner: Boost, x: Row, label: int, y: float, score: float) -> None:
    """Tell the weak learners and voters of a label what was true of it."""
    votes = learner.votes[label]
    smooth(votes, y, learner.advantage, learner.theta, learner.weights)
    credit(votes, y, learner.weights, 1.0, learner.totals, learner.gains)
    train(learner.weak, x, label, y, learner.weights)
    if learner.theta > y * score:
        elect(learner.voters[label], votes, y, learner.eta, learner.voting)
