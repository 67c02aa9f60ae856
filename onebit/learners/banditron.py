"""Banditron: the multiclass perceptron from bandit feedback."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, add, dot
from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements
from onebit.learners import learner


@learner(hears=Bit, explorer="epsilon")
class Banditron(NamedTuple):
    """The multiclass perceptron from one bit of feedback.

    It explores in a small share of rounds, and multiplies the update after a right label by
    the importance weight 1 / prob, so that its expected update is exactly the Perceptron's.
    Fast, with one parameter; the standard baseline.

    Reference: Kakade, Shalev-Shwartz and Tewari, "Efficient bandit algorithms
    for online multiclass prediction", ICML 2008, Algorithm 1 (with the played
    label in the first indicator, as Lemma 4's proof has it).

    Guarantee: E[M] <= L + gamma T + 3 max(K D / gamma, sqrt(D gamma T))
    + sqrt(K D L / gamma) for rows of norm at most 1 (Theorem 1).

    >>> from onebit import Agent
    >>> agent = Agent("banditron", labels=["tea", "coffee"], gamma=0.1, seed=1)
    >>> choice = agent.decide({"morning": 1})
    >>> agent.learn(choice, correct=choice.label == "coffee")
    """

    weights: Annotated[Floats, Axes("features", "labels")]


@implements(score, Banditron)
def _(learner: Banditron, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)


@implements(learn, Banditron)
def _(learner: Banditron, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    if feedback.correct:
        if played.label == played.greedy:
            add(x, 1.0 / played.prob - 1.0, learner.weights, played.greedy)
            return
        add(x, 1.0 / played.prob, learner.weights, played.label)
    add(x, -1.0, learner.weights, played.greedy)
