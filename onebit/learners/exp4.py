"""Exp4: exponential weights on hypotheses from bandit feedback."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Dense, Floats
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import DERIVED, Axes
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.shared.exponential_weights import (
    Horizon,
    RoundsLearned,
    begin_with_horizon,
    learning_rate,
    set_weights,
    sum_weights_by_label,
)

#: If the weights sum to less than this, they are rescaled: the best gets weight 1 again.
MIN_TOTAL = 1e-30


@learner(hears=Bit, explorer="proportional", row="advice")
class Exp4(NamedTuple):
    """Plays each label with the share of weight of the hypotheses that predict it, from one bit.

    A mistake adds 1 / prob to the loss of every hypothesis that predicted the played label: an
    unbiased estimate of its mistakes. It tolerates noise and takes one pass over the advice;
    with `rounds` given it computes few exponentials. eta is sqrt(2 ln N / (K T)) for `rounds`
    T; if auto, it is sqrt(ln N / (K t)) in round t.

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
    weights: Annotated[Floats, Axes("features", first=1.0, role=DERIVED)]
    base_loss: Annotated[Floats, Axes(1)]  # the loss that has weight 1
    rounds_learned: RoundsLearned
    ratio: float = 0.0  # ln N / K
    rounds: Horizon = "auto"

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> Exp4:
        """Return the first state."""
        state = begin_with_horizon(cls, sizes, params)
        return state._replace(ratio=math.log(sizes.features) / sizes.labels)

    def derive(self) -> None:
        """Set the weights from the losses."""
        eta = learning_rate(self.ratio, self.rounds, int(self.rounds_learned[0]) + 1)
        if self.rounds == 0:
            set_weights(self.losses, eta, self.weights)
        else:
            for i in range(len(self.losses)):
                self.weights[i] = math.exp(eta * (self.base_loss[0] - self.losses[i]))

    def is_sound(self) -> bool:
        """Return whether no weight is above 1: losses never fall below the base."""
        return bool(self.base_loss[0] <= self.losses.min())


@implements(score, Exp4)
def _(learner: Exp4, x: Dense, out: Floats) -> None:
    sum_weights_by_label(learner.weights, x, out)


@implements(learn, Exp4)
def _(learner: Exp4, x: Dense, scores: Floats, played: Played, feedback: Bit) -> None:
    update_weights(learner, x, played, feedback.correct)


@kernel
def update_weights(learner: Exp4, x: Dense, played: Played, correct: bool) -> None:
    """Add to the losses after a mistake, and update the weights: if eta is fixed, only of those."""
    losses, weights, advice = learner.losses, learner.weights, x.values
    learner.rounds_learned[0] += 1
    if learner.rounds == 0:
        for i in range(0 if correct else losses.shape[0]):
            if int(advice[i]) == played.label:
                losses[i] += 1.0 / played.prob
        eta = learning_rate(learner.ratio, 0, learner.rounds_learned[0] + 1)
        learner.base_loss[0] = set_weights(losses, eta, weights)
    elif not correct:
        eta, base_loss, total = (
            learning_rate(learner.ratio, learner.rounds, 0),
            learner.base_loss[0],
            0.0,
        )
        for i in range(losses.shape[0]):
            if int(advice[i]) == played.label:
                losses[i] += 1.0 / played.prob
                weights[i] = math.exp(eta * (base_loss - losses[i]))
            total += weights[i]
        if total < MIN_TOTAL:
            learner.base_loss[0] = set_weights(losses, eta, weights)
