"""PA bandit: one passive-aggressive binary learner for each label."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, add, dot, squared_norm
from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.naming.params import OneOf, Real

PLAYED_ONLY = 0


@learner(hears=Bit, widens=True)
class PaBandit(NamedTuple):
    """One-versus-all with passive-aggressive steps (PA-I), without exploration.

    Each label has a binary learner, which expects +1 for right and -1 for wrong, and takes the
    smallest step to a margin of 1, at most c. The learner of the played label steps; with
    rule=all-if-correct those of the other labels step too, towards -1, if it was right.
    `margin-bandit` is the other way to learn so from a bit: one multiclass learner with importance
    weights, which needs exploration.

    Units: the largest step c and the margin of 1 are in the unit of the rows; `--with unit` gives
    all rows norm 1.

    Reference: Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, "Online passive-aggressive
    algorithms", JMLR 7 (2006), PA-I; one for each label as in Chen et al., ICDM 2009 (C-OVA).

    Guarantee: none known from one bit; without exploration it may play a wrong label forever.

    >>> from onebit import Agent
    >>> agent = Agent("pa-bandit", labels=["tea", "coffee"], seed=1)
    >>> for _ in range(5):
    ...     choice = agent.decide({"morning": 1})
    ...     agent.learn(choice, correct=choice.label == "coffee")
    >>> agent.predict({"morning": 1})
    'coffee'
    """

    weights: Annotated[Floats, Axes("features", "labels")]
    c: Annotated[float, Real("(0, inf)"), "largest step"] = 1.0
    rule: Annotated[
        int,
        OneOf(("played-only", "all-if-correct")),
        "which labels learn if the played one is right",
    ] = "played-only"  # type: ignore[assignment]


@implements(score, PaBandit)
def _(learner: PaBandit, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)


@implements(learn, PaBandit)
def _(learner: PaBandit, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    length = squared_norm(x)
    if length > 0.0:
        for k in range(scores.shape[0]):
            if k == played.label:
                y = 1.0 if feedback.correct else -1.0
            elif feedback.correct and learner.rule != PLAYED_ONLY:
                y = -1.0
            else:
                continue
            loss = 1.0 - y * scores[k]
            if loss > 0.0:
                add(x, y * min(learner.c, loss / length), learner.weights, k)
