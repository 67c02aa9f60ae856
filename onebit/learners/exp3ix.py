"""Exp3-IX: Exp3 with implicit exploration, whose loss estimates have low variance."""

from __future__ import annotations

import math

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.learners.shared.exponential_weights import LabelWeights, learning_rate, set_weights


@learner(hears=Bit, explorer="proportional", row="nothing", widens=True)
class Exp3ix(LabelWeights):
    """Exp3 with implicit exploration: its regret bound holds with high probability.

    A mistake adds 1 / (prob + gamma) to the loss of the played label: a small bias that
    bounds the estimates without uniform exploration. It does not read rows.
    eta = 2 gamma = sqrt(2 ln K / (K T)) for `rounds` T; if auto, sqrt(ln K / (K t)) in round t.

    Reference: G. Neu, "Explore no more: improved high-probability regret bounds for
    non-stochastic bandits", NIPS 2015, Algorithm 1 and Theorem 1.

    Guarantee: with probability 1 - delta, regret <= 2 sqrt(2 K T ln K)
    + (sqrt(2 K T / ln K) + 1) ln(2 / delta) with rounds = T, and <= 4 sqrt(K T ln K)
    + (2 sqrt(K T / ln K) + 1) ln(2 / delta) for every T with rounds = auto.

    >>> from onebit import Agent
    >>> agent = Agent("exp3ix", labels=["left", "right"], rounds=1000, seed=1)
    >>> choice = agent.decide({})
    >>> agent.learn(choice, correct=choice.label == "right")
    """


@implements(score, Exp3ix)
def _(learner: Exp3ix, x: Row, out: Floats) -> None:
    for k in range(out.shape[0]):
        out[k] = learner.weights[k]


@implements(learn, Exp3ix)
def _(learner: Exp3ix, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    learner.rounds_learned[0] += 1
    t, labels = learner.rounds_learned[0], scores.shape[0]
    ratio = math.log(labels) / labels
    if not feedback.correct:
        gamma = learning_rate(ratio, learner.rounds, t) / 2.0
        learner.losses[played.label] += 1.0 / (played.prob + gamma)
    set_weights(learner.losses, learning_rate(ratio, learner.rounds, t + 1), learner.weights)
