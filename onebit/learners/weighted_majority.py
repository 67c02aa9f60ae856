"""Weighted majority: exponential weights on hypotheses, with full information."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from onebit.kernel.round import Label, Played, is_true, learn, score
from onebit.kernel.rows import Dense, Floats
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import DERIVED, Axes
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.learners.shared.exponential_weights import (
    Horizon,
    RoundsLearned,
    begin_with_horizon,
    learning_rate,
    set_weights,
    sum_weights_by_label,
)


@learner(hears=Label, explorer="proportional", row="advice", sets=True)
class WeightedMajority(NamedTuple):
    """Plays each label with the share of weight of the hypotheses that predict it.

    With full information. A hypothesis has weight exp(-eta mistakes), so that none has to be
    perfect: it is nearly as good as the best of them on any sequence. eta is
    sqrt(2 ln N / T) for `rounds` T; if auto, it is sqrt(ln N / t) in round t. Where several
    labels are right, a hypothesis that predicts any of them makes no mistake.

    Reference: N. Littlestone and M. Warmuth, "The weighted majority algorithm",
    Information and Computation 108 (1994), the randomised version.

    Guarantee: expected regret <= sqrt(2 T ln N) against the best of N hypotheses
    with rounds = T; the same, for every T, with rounds = auto.

    >>> from onebit import Agent
    >>> agent = Agent("weighted-majority", labels=["no", "yes"], rounds=100, seed=1)
    >>> agent.learn(agent.decide([0, 1]), truth="yes")
    >>> agent.predict([0, 1])
    'yes'
    """

    mistakes: Annotated[Floats, Axes("features")]
    weights: Annotated[Floats, Axes("features", first=1.0, role=DERIVED)]
    rounds_learned: RoundsLearned
    rounds: Horizon = "auto"

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> WeightedMajority:
        """Return the first state."""
        return begin_with_horizon(cls, sizes, params)

    def derive(self) -> None:
        """Set the weights for the next round from the mistakes."""
        t = int(self.rounds_learned[0]) + 1
        eta = learning_rate(math.log(len(self.mistakes)), self.rounds, t)
        set_weights(self.mistakes, eta, self.weights)


@implements(score, WeightedMajority)
def _(learner: WeightedMajority, x: Dense, out: Floats) -> None:
    sum_weights_by_label(learner.weights, x, out)


@implements(learn, WeightedMajority)
def _(learner: WeightedMajority, x: Dense, scores: Floats, played: Played, feedback: Label) -> None:
    learner.rounds_learned[0] += 1
    mistakes, advice = learner.mistakes, x.values
    for i in range(mistakes.shape[0]):
        if not is_true(feedback, int(advice[i])):
            mistakes[i] += 1.0
    ratio = math.log(mistakes.shape[0])
    eta = learning_rate(ratio, learner.rounds, learner.rounds_learned[0] + 1)
    set_weights(mistakes, eta, learner.weights)
