"""Boost: online boosting with full information, the baseline for BanditBoost."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from onebit.kernel.round import Label, Played, is_true, learn, score
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
from onebit.learners.weak import READINGS, STARTS
from onebit.naming.params import Auto, OneOf, Real


@learner(hears=Label, sets=True)
class Boost(NamedTuple):
    """Online boosting with full information: the baseline for BanditBoost.

    In every round the weak learners of every label learn whether their label was right, as one of
    any number of right ones, with
    smooth weights: the smaller, the better the weak learners before them are. As in
    BanditBoost, linear weak learners start at random and read rows scaled to norm 10 beside
    a bias of 1; perceptrons that start at zero stay equal.

    Units: with `reading=smooth` linear weak learners see a bias of 1 beside rows of any length;
    otherwise it does not depend on the unit of the rows.

    Reference: Chen, Lin and Lu, "An online boosting algorithm with theoretical
    justifications", ICML 2012, one label against all others for several labels; voting
    weights as in their ICML 2014 paper (equation 6) or by a projected gradient.

    Guarantee: on binary problems, the error falls below any given one after enough rounds,
    if weak learners have twice the assumed advantage on every large enough sum of weights.

    >>> from onebit import Agent
    >>> agent = Agent("boost", labels=["tea", "coffee"], n=10, features=1, seed=1)
    >>> agent.learn(agent.decide([1.0]), truth="coffee")
    >>> agent.predict([1.0])
    'coffee'
    """

    vote: boosting.Vote
    n: boosting.Copies = 100
    eta: Annotated[
        float, Auto(Real("[0, inf)"), (ADAPTIVE,)), "learning rate of the voting weights"
    ] = 0.01
    advantage: boosting.Advantage = 0.1
    theta: boosting.Theta = "auto"  # type: ignore[assignment]
    weak: boosting.Weak = "perceptron"
    reading: Annotated[
        int, OneOf(READINGS[1:]), "how linear weak learners read rows, as `step` of banditboost"
    ] = "scaled"  # type: ignore[assignment]
    start: Annotated[int, OneOf(STARTS), "initial weights"] = "random"  # type: ignore[assignment]
    dtype: boosting.Dtype = "float64"  # type: ignore[assignment]
    voting: boosting.Voting = "multiplicative"  # type: ignore[assignment]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Boost:
        """Return the first state: equal voting weights, new weak learners."""
        return initial_booster(cls, sizes, seed, params)  # type: ignore[no-any-return]

    def diagnostics(self) -> dict[str, Any]:
        """Return diagnostics, see `boosting.diagnostics`."""
        return boosting.diagnostics(self)


@implements(score, Boost)
def _(learner: Boost, x: Row, out: Floats) -> None:
    score_by_votes(learner, x, out)


@implements(learn, Boost)
def _(learner: Boost, x: Row, scores: Floats, played: Played, feedback: Label) -> None:
    learner.vote.rounds[0] += 1.0
    for k in range(scores.shape[0]):
        y = 1.0 if is_true(feedback, k) else -1.0
        update_label(learner, x, k, y, 1.0, False, scores[k])
