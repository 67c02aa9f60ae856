"""Exp3.P: Exp3 with gains, uniform exploration, and a bonus for labels played rarely."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row
from onebit.kernel.state import DERIVED, Axes
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.shared.exponential_weights import set_weights
from onebit.naming.params import Real, Whole


@learner(hears=Bit, explorer="proportional", row="nothing", widens=True)
class Exp3p(NamedTuple):
    """Exp3 for gains with a bonus for every label: its regret bound holds with high probability.

    In every round each label gains (hit + beta) / prob, where hit is 1 for the played label
    if it was right, else 0. It plays by weight, mixed with a share gamma of uniform
    exploration. It does not read rows. For `rounds` T: beta = sqrt(ln(K / delta) / (T K)),
    eta = .95 sqrt(ln K / (T K)), gamma = 1.05 sqrt(K ln K / T), at most 1. The probs of labels
    that were not played are those at the time of the feedback.

    Reference: P. Auer, N. Cesa-Bianchi, Y. Freund and R. Schapire, SIAM J. Computing 32
    (2002), Section 6; constants of S. Bubeck and N. Cesa-Bianchi, FnT Machine
    Learning 5 (2012), Theorem 3.2.

    Guarantee: with probability 1 - delta, regret <= 5.15 sqrt(T K ln(K / delta)) with
    rounds = T.

    >>> from onebit import Agent
    >>> agent = Agent("exp3p", labels=["left", "right"], rounds=1000, seed=1)
    >>> choice = agent.decide({})
    >>> agent.learn(choice, correct=choice.label == "right")
    """

    losses: Annotated[Floats, Axes("labels")]
    weights: Annotated[Floats, Axes("labels", first=1.0, role=DERIVED)]
    rounds: Annotated[int, Whole(1), "how many rounds there will be"] = 10_000
    failure: Annotated[
        float, Real("(0, 1)"), "delta, probability with which the guarantee may fail"
    ] = 0.05

    def derive(self) -> None:
        """Set the weights from the losses."""
        labels = len(self.losses)
        eta = 0.95 * math.sqrt(math.log(labels) / (self.rounds * labels))
        set_weights(self.losses, eta, self.weights)

    def grown(self, old: Any) -> None:
        """Give a new label the mean loss of the others; with 0 it would be the best or worst."""
        self.losses[len(old.losses) :] = old.losses.mean()


@kernel
def mixing_share(labels: int, rounds: int) -> float:
    """Return gamma, the share of uniform exploration."""
    return min(1.0, 1.05 * math.sqrt(labels * math.log(labels) / rounds))


@implements(score, Exp3p)
def _(learner: Exp3p, x: Row, out: Floats) -> None:
    labels = out.shape[0]
    gamma = mixing_share(labels, learner.rounds)
    total = 0.0
    for k in range(labels):
        total += learner.weights[k]
    for k in range(labels):
        out[k] = (1.0 - gamma) * learner.weights[k] / total + gamma / labels


@implements(learn, Exp3p)
def _(learner: Exp3p, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    labels = scores.shape[0]
    beta = math.sqrt(math.log(labels / learner.failure) / (learner.rounds * labels))
    for k in range(labels):
        if k == played.label:
            hit = 1.0 if feedback.correct else 0.0
            learner.losses[k] -= (hit + beta) / played.prob
        else:
            learner.losses[k] -= beta / scores[k]
    eta = 0.95 * math.sqrt(math.log(labels) / (learner.rounds * labels))
    set_weights(learner.losses, eta, learner.weights)
