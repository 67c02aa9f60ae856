"""SOBA: the second-order Banditron, diagonal."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, dot, feature
from onebit.kernel.state import DERIVED, Axes
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.pa import best_other_label


@learner(hears=Bit, explorer="epsilon", widens=True)
class Soba(NamedTuple):
    """The second-order Banditron, with the diagonal of its matrix.

    It learns only if the played label was right, from that label and the best other one, with the
    importance weight 1 / prob. Features that took part in many updates change less. An update
    is made only while the sum of negative margins so far stays above zero, which keeps updates
    that would be made needlessly from adding up. `soba-full` keeps the whole matrix.

    Units: the first curvature, 1, is in the squared unit of the rows; `--with unit` gives all rows
    norm 1.

    Reference: Beygelzimer, Orabona and Zhang, "Efficient online bandit multiclass learning with
    O(sqrt(T)) regret", ICML 2017, Algorithm 1 (SOBA), with the diagonal of A as in its experiments
    and a = 1.

    Guarantee: none for the diagonal; see `soba-full`.

    >>> from onebit import Agent
    >>> agent = Agent("soba", labels=["tea", "coffee"], gamma=0.1, seed=1)
    >>> choice = agent.decide({"morning": 1})
    >>> agent.learn(choice, correct=choice.label == "coffee")
    """

    sums: Annotated[Floats, Axes("features", "labels")]
    curvature: Annotated[Floats, Axes("features", "labels", first=1.0, within="[1, inf)")]
    weights: Annotated[Floats, Axes("features", "labels", role=DERIVED)]
    margin_sum: Annotated[Floats, Axes(1)]

    def derive(self) -> None:
        """Set the weights from the sums and the curvature."""
        self.weights[:] = self.sums / self.curvature


@kernel
def uncertainty(learner: Soba, x: Row, one: int, two: int) -> float:
    """Return the sum of x_j^2 / A_jk over the weights of two labels."""
    total = 0.0
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            j, square = feature(x, n), x.values[n] * x.values[n]
            total += square / learner.curvature[j, one] + square / learner.curvature[j, two]
    return total


@kernel
def step(learner: Soba, x: Row, label: int, rival: int, prob: float) -> None:
    """Add x / prob to the sums of a label, minus that to its rival, x^2 / prob to curvatures."""
    for n in range(x.values.shape[0]):
        value = x.values[n]
        if value != 0.0:
            j, move, bend = feature(x, n), value / prob, value * value / prob
            learner.sums[j, label] += move
            learner.curvature[j, label] += bend
            learner.weights[j, label] = learner.sums[j, label] / learner.curvature[j, label]
            learner.sums[j, rival] -= move
            learner.curvature[j, rival] += bend
            learner.weights[j, rival] = learner.sums[j, rival] / learner.curvature[j, rival]


@kernel
def negative_margin(loss: float, spread: float, prob: float) -> float:
    """Return m_t from w . (x of the rival - x of the label), times 1 / prob for G, and z'A^-1 z."""
    product = loss / math.sqrt(prob)  # w . z
    return (product * product + 2.0 * loss / prob) / (1.0 + spread)


@implements(score, Soba)
def _(learner: Soba, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)


@implements(learn, Soba)
def _(learner: Soba, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    if feedback.correct:
        label, rival = played.label, best_other_label(scores, played.label)
        spread = uncertainty(learner, x, label, rival) / played.prob
        m = negative_margin(scores[rival] - scores[label], spread, played.prob)
        if learner.margin_sum[0] + m >= 0.0:
            learner.margin_sum[0] += m
            step(learner, x, label, rival, played.prob)
