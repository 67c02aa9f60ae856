"""Exp4: nearly as good as the best of N hypotheses, from one bit."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Dense, Floats
from onebit.kernel.state import Axes, Sizes
from onebit.kernel.verbs import implements, kernel, no_refcount
from onebit.learners import learner
from onebit.learners.shared import exponential_weights as hedge
from onebit.learners.shared.exponential_weights import Horizon, eta, follow, weigh
from onebit.learners.shared.version_space import Ledger

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
    size: float = 0.0
    rounds: Horizon = "auto"

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> Exp4:
        """Return the first state; rounds are 0 if they are not known."""
        state = hedge.begin(cls, sizes, params)
        return state._replace(size=math.log(sizes.features) / sizes.labels)


@implements(score, Exp4)
def _(learner: Exp4, x: Dense, out: Floats) -> None:
    follow(learner.weights, x, out)


@implements(learn, Exp4)
def _(learner: Exp4, x: Dense, scores: Floats, played: Played, feedback: Bit) -> None:
    tell(learner, x, played, feedback.correct)


@no_refcount
@kernel
def tell(learner: Exp4, x: Dense, played: Played, correct: bool) -> None:
    """Charge the hypotheses that said a wrong label; at a fixed rate only their weights change."""
    losses, weights, advice = learner.losses, learner.weights, x.values
    learner.ledger[0] += 1
    if learner.rounds == 0:
        for i in range(0 if correct else losses.shape[0]):
            if int(advice[i]) == played.label:
                losses[i] += 1.0 / played.prob
        rate = eta(learner.size, 0, learner.ledger[0] + 1)
        learner.base[0] = weigh(losses, rate, weights)
    elif not correct:
        rate, base, total = eta(learner.size, learner.rounds, 0), learner.base[0], 0.0
        for i in range(losses.shape[0]):
            if int(advice[i]) == played.label:
                losses[i] += 1.0 / played.prob
                weights[i] = math.exp(rate * (base - losses[i]))
            total += weights[i]
        if total < LEAST:
            learner.base[0] = weigh(losses, rate, weights)
