"""Banditron: the multiclass perceptron from bandit feedback."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, add, dot
from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.naming.params import OneOf

PAPER, PLAYED = 0, 1


@learner(hears=Bit, explorer="epsilon", widens=True)
class Banditron(NamedTuple):
    """The multiclass perceptron from one bit of feedback.

    It explores in a small share of rounds, and multiplies the update after a right label by
    the importance weight 1 / prob, so that its expected update is exactly the Perceptron's.
    Fast, with one parameter; the standard baseline.

    Other updates have the same expectation, as the paper remarks without writing them down.
    `update=played` changes the played label alone, in rounds in which the bit speaks against
    the scores. `update=known` makes the Perceptron's own update, times 1 / prob, whenever the
    right label is known, which is when it was played; it errs more in most of our runs.

    Reference: Kakade, Shalev-Shwartz and Tewari, "Efficient bandit algorithms
    for online multiclass prediction", ICML 2008, Algorithm 1 (with the played
    label in the first indicator, as Lemma 4's proof has it).

    Guarantee: E[M] <= L + gamma T + 3 max(K D / gamma, sqrt(D gamma T))
    + sqrt(K D L / gamma) for rows of norm at most 1 (Theorem 1, for `update=paper`).

    >>> from onebit import Agent
    >>> agent = Agent("banditron", labels=["tea", "coffee"], gamma=0.1, seed=1)
    >>> choice = agent.decide({"morning": 1})
    >>> agent.learn(choice, correct=choice.label == "coffee")
    """

    weights: Annotated[Floats, Axes("features", "labels")]
    update: Annotated[
        int, OneOf(("paper", "played", "known")), "which unbiased estimate of the update"
    ] = "paper"  # type: ignore[assignment]


@implements(score, Banditron)
def _(learner: Banditron, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)


@implements(learn, Banditron)
def _(learner: Banditron, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    for_played, for_greedy = 0.0, 0.0  # multiples of the row to add to the weights of these labels
    if learner.update == PAPER:
        for_greedy = -1.0
        if feedback.correct:
            for_played = 1.0 / played.prob
    elif feedback.correct:
        if played.label != played.greedy:
            for_played = 1.0 / played.prob
            if learner.update != PLAYED:
                for_greedy = -for_played
    elif learner.update == PLAYED and played.label == played.greedy:
        for_greedy = -1.0 / played.prob

    if played.label == played.greedy:
        for_greedy += for_played
    elif for_played != 0.0:
        add(x, for_played, learner.weights, played.label)
    if for_greedy != 0.0:
        add(x, for_greedy, learner.weights, played.greedy)
