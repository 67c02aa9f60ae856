"""Exp4: nearly as good as the best of N hypotheses, from one bit."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from onebit.hedge import eta, weigh
from onebit.learners import learner
from onebit.params import Auto, Whole
from onebit.round import Bit, Played, learn, score
from onebit.rows import Dense, Floats
from onebit.state import Axes, Sizes, first_state
from onebit.verbs import implements
from onebit.versions import Ledger

#: When all weights together are less than this, they are measured against the best again.
LEAST = 1e-30


@learner(hears=Bit, explorer="proportional", row="advice")
class Exp4(NamedTuple):
    """Plays each label as often as the weight of the hypotheses that say it, hearing one bit.

    A miss charges every hypothesis that said the played label one over that label's
    probability: unbiased for its mistakes. It forgives noise, costs a pass over the
    advice, and with `rounds` given computes few exponentials. eta is
    sqrt(2 ln N / (K T)) for `rounds` T; if auto, it is sqrt(ln N / (K t)) in round t.

    Reference: P. Auer, N. Cesa-Bianchi, Y. Freund and R. Schapire, SIAM J. Computing 32
    (2002), Section 7; with losses as in S. Bubeck and N. Cesa-Bianchi, FnT Machine
    Learning 5 (2012), Theorem 4.2.

    Guarantee: pseudo-regret <= sqrt(2 K T ln N) against the best of N hypotheses with
    rounds = T, and <= 2 sqrt(K T ln N) for every T with rounds = auto.

    >>> from onebit import Agent
    >>> agent = Agent("exp4", labels=["no", "yes"], seed=1)
    >>> choice = agent.decide([0, 1, 1])
    >>> agent.learn(choice, correct=choice.label == "no")
    """

    losses: Annotated[Floats, Axes("features")]
    weights: Annotated[Floats, Axes("features", first=1.0)]
    base: Annotated[Floats, Axes(1)]
    ledger: Annotated[Ledger, Axes(1, dtype="int64")]
    rounds: Annotated[Any, Auto(Whole(1)), "how many rounds there will be, if known"] = "auto"

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> Exp4:
        """Return the first state; rounds are 0 if they are not known."""
        rounds = 0 if params["rounds"] == "auto" else params["rounds"]
        return first_state(cls, sizes, {**params, "rounds": rounds})


@implements(score, Exp4)
def _(learner: Exp4, x: Dense, out: Floats) -> None:
    out[:] = 0.0
    for i in range(learner.weights.shape[0]):
        out[int(x.values[i])] += learner.weights[i]


@implements(learn, Exp4)
def _(learner: Exp4, x: Dense, scores: Floats, played: Played, feedback: Bit) -> None:
    learner.ledger[0] += 1
    labels, n = scores.shape[0], learner.weights.shape[0]
    fixed = learner.rounds > 0
    if feedback.correct and fixed:
        return
    rate = eta(math.log(n) / labels, learner.rounds, learner.ledger[0] + 1)
    total = 0.0
    if not feedback.correct:
        charge, base = 1.0 / played.prob, learner.base[0]
        said = float(played.label)
        for i in range(n):
            if x.values[i] == said:
                learner.losses[i] += charge
                if fixed:
                    learner.weights[i] = math.exp(rate * (base - learner.losses[i]))
                    total += learner.weights[i]
        for k in range(labels):
            if k != played.label:
                total += scores[k]
    if not fixed or total < LEAST:
        learner.base[0] = weigh(learner.losses, -rate, learner.weights)
