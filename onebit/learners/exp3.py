"""Exp3: exponential weights on labels from bandit feedback, for adversarial streams."""

from __future__ import annotations

import math

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.learners.shared.exponential_weights import LabelWeights, learning_rate, set_weights


@learner(hears=Bit, explorer="proportional", row="nothing", widens=True)
class Exp3(LabelWeights):
    """Nearly as good as the best fixed label on any sequence, from one bit per round.

    A label has weight exp(-eta loss). A mistake adds 1 / prob to the loss of the played
    label: an unbiased estimate of every label's loss. It does not read rows. eta is
    sqrt(2 ln K / (K T)) for `rounds` T; if auto, it is sqrt(ln K / (K t)) in round t.

    Reference: P. Auer, N. Cesa-Bianchi, Y. Freund and R. Schapire, "The nonstochastic
    multiarmed bandit problem", SIAM J. Computing 32 (2002); with losses as in S. Bubeck
    and N. Cesa-Bianchi, "Regret analysis ...", FnT Machine Learning 5 (2012), Theorem 3.1.

    Guarantee: pseudo-regret <= sqrt(2 K T ln K) with rounds = T, and
    <= 2 sqrt(K T ln K) for every T with rounds = auto.

    >>> from onebit import Agent
    >>> agent = Agent("exp3", labels=["left", "right"], seed=1)
    >>> choice = agent.decide({})
    >>> agent.learn(choice, correct=choice.label == "right")
    """


@implements(score, Exp3)
def _(learner: Exp3, x: Row, out: Floats) -> None:
    for k in range(out.shape[0]):
        out[k] = learner.weights[k]


@implements(learn, Exp3)
def _(learner: Exp3, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    learner.rounds_learned[0] += 1
    if not feedback.correct:
        learner.losses[played.label] += 1.0 / played.prob
    labels = scores.shape[0]
    eta = learning_rate(math.log(labels) / labels, learner.rounds, learner.rounds_learned[0] + 1)
    set_weights(learner.losses, eta, learner.weights)
