"""Margin bandit: passive-aggressive steps from bandit feedback."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, add, dot
from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.learners.pa import best_other_label, step_to_margin
from onebit.naming.params import Real


@learner(hears=Bit, explorer="epsilon", widens=True)
class MarginBandit(NamedTuple):
    """Passive-aggressive steps from one bit of feedback.

    It learns only if the played label was right: then the true label is known, and the step
    with full information (`pa`) is multiplied by the importance weight 1 / prob, so that the
    expected step is exactly PA-I's. Rows that are right by a margin of 1 change nothing.

    Units: the largest step c and the margin of 1 are in the unit of the rows; `--with unit` gives
    all rows norm 1.

    Reference: the extension of Kakade, Shalev-Shwartz and Tewari, ICML 2008,
    Section 6, to the updates of Crammer et al., "Online passive-aggressive
    algorithms", JMLR 7 (2006), PA-I.

    Guarantee: none proved; the update is an unbiased estimate of PA-I's.

    >>> from onebit import Agent
    >>> agent = Agent("margin-bandit", labels=["tea", "coffee"], gamma=0.1, seed=1)
    >>> choice = agent.decide({"morning": 1})
    >>> agent.learn(choice, correct=choice.label == "coffee")
    """

    weights: Annotated[Floats, Axes("features", "labels")]
    c: Annotated[float, Real("(0, inf)"), "largest step, before the importance weight"] = 1.0


@implements(score, MarginBandit)
def _(learner: MarginBandit, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)


@implements(learn, MarginBandit)
def _(learner: MarginBandit, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    if feedback.correct:
        rival = best_other_label(scores, played.label)
        step = step_to_margin(x, scores, played.label, rival, learner.c) / played.prob
        if step > 0.0:
            add(x, step, learner.weights, played.label)
            add(x, -step, learner.weights, rival)
