"""One-vs-all: an optimistic logistic regression for each label, from one bit."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, dot, feature
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import Axes, initial_state
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.learners.shared.experts import first_logit, forget
from onebit.learners.shared.table import Lanes, set_rows_to_zero
from onebit.naming.params import Real

#: The largest logit, and the largest gradient, whose square fits into a float32.
LARGEST, STEEPEST = 500.0, 1e15


@learner(hears=Bit, explorer="fastcb", estimates=True, widens=True)
class OneVsAll(NamedTuple):
    """A logistic regression for each label, with optimistic first estimates.

    Only the played label learns, by AdaGrad. Estimates start at sqrt(K) : 1, so that labels that
    were not tried yet are played first; steps after a right label are ln(K) times longer. Does
    well on text with many labels.

    Units: a weight moves by about `rate` at first, whatever the unit of its feature, so rates are
    for features of about 1.

    Reference: optimistic first estimates as in Sutton and Barto, "Reinforcement learning: an
    introduction" (2018), section 2.6; steps as in `softmax`.

    Guarantee: none known.

    >>> from onebit import Agent
    >>> agent = Agent("one-vs-all", labels=["tea", "coffee"], seed=1)
    >>> for _ in range(50):
    ...     choice = agent.decide({"morning": 1})
    ...     agent.learn(choice, correct=choice.label == "coffee")
    >>> agent.predict({"morning": 1})
    'coffee'
    """

    weights: Annotated[Lanes, Axes("features", "labels", dtype="float32")]
    squares: Annotated[Lanes, Axes("features", "labels", dtype="float32", within="[0, inf)")]
    rate: Annotated[float, Real("(0, inf)"), "step size of AdaGrad"] = 0.3
    floor: Annotated[float, Real("(0, inf)"), "added to the sums of squared gradients"] = 1e-10
    first: float = 0.0

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> OneVsAll:
        """Return the first state; the first logit is half of ln(labels)."""
        state = initial_state(cls, sizes, params)
        return state._replace(first=0.5 * math.log(sizes.labels))


@implements(first_logit, OneVsAll)
def _(learner: OneVsAll, labels: int) -> float:
    return learner.first


@implements(forget, OneVsAll)
def _(learner: OneVsAll) -> None:
    set_rows_to_zero(learner.weights, learner.weights.shape[0])
    set_rows_to_zero(learner.squares, learner.weights.shape[0])


@implements(score, OneVsAll)
def _(learner: OneVsAll, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)
    for k in range(out.shape[0]):
        z = min(max(out[k] + learner.first, -LARGEST), LARGEST)
        out[k] = 1.0 / (1.0 + math.exp(-z))


@implements(learn, OneVsAll)
def _(learner: OneVsAll, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    k = played.label
    slope, rate = scores[k], learner.rate
    if feedback.correct:
        slope -= 1.0
        rate *= max(1.0, 2.0 * learner.first)
    for n in range(x.values.shape[0]):
        value = x.values[n]
        if value != 0.0:
            j, g = feature(x, n), min(max(slope * value, -STEEPEST), STEEPEST)
            learner.squares[j, k] += g * g
            size = math.sqrt(np.float64(learner.squares[j, k]) + learner.floor)
            learner.weights[j, k] -= rate * g / size
