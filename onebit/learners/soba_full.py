"""SOBA: the second-order Banditron, with its whole matrix."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, dot, feature
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import SCRATCH, Axes, initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.pa import best_other_label
from onebit.learners.shared.matrix import set_identity, subtract_rank_one
from onebit.learners.soba import negative_margin


@learner(hears=Bit, explorer="epsilon", row="few features")
class SobaFull(NamedTuple):
    """The second-order Banditron, with a matrix of all pairs of weights.

    As `soba`, but features that vary together are told apart. The matrix has
    (labels x features)^2 numbers, and a round takes as many steps: for few features.

    Units: the first matrix, the identity, is in the squared unit of the rows; `--with unit` gives
    all rows norm 1, which the bound needs.

    Reference: Beygelzimer, Orabona and Zhang, "Efficient online bandit multiclass learning with
    O(sqrt(T)) regret", ICML 2017, Algorithm 1 (SOBA), with a = 1.

    Guarantee: a regret of the order (K / eta) sqrt(d T ln T) against a family of losses between
    the hinge loss and the squared hinge loss (`onebit bound soba`).

    >>> from onebit import Agent
    >>> agent = Agent("soba-full", labels=["tea", "coffee"], features=1, gamma=0.1, seed=1)
    >>> choice = agent.decide([1.0])
    >>> agent.learn(choice, correct=choice.label == "coffee")
    """

    weights: Annotated[Floats, Axes("features", "labels")]
    inverse: Annotated[Floats, Axes("labels*features", "labels*features")]
    margin_sum: Annotated[Floats, Axes(1)]
    products: Annotated[Floats, Axes("labels*features", role=SCRATCH)]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> SobaFull:
        """Return the first state, with the identity as the matrix."""
        state = initial_state(cls, sizes, params)
        set_identity(state.inverse, 1.0)
        return state


@kernel
def times_difference(learner: SobaFull, x: Row, label: int, rival: int, scale: float) -> float:
    """Set products to A^-1 z, z = scale (x of the rival - x of the label); return z'A^-1 z."""
    features, v = learner.weights.shape[0], learner.products
    for i in range(v.shape[0]):
        total = 0.0
        for n in range(x.values.shape[0]):
            if x.values[n] != 0.0:
                j = feature(x, n)
                pair = learner.inverse[i, rival * features + j]
                total += scale * x.values[n] * (pair - learner.inverse[i, label * features + j])
        v[i] = total
    form = 0.0
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            j = feature(x, n)
            form += scale * x.values[n] * (v[rival * features + j] - v[label * features + j])
    return max(form, 0.0)


@implements(score, SobaFull)
def _(learner: SobaFull, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)


@implements(learn, SobaFull)
def _(learner: SobaFull, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    if feedback.correct:
        label, rival = played.label, best_other_label(scores, played.label)
        loss, scale = scores[rival] - scores[label], 1.0 / math.sqrt(played.prob)
        form = times_difference(learner, x, label, rival, scale)
        m = negative_margin(loss, form, played.prob)
        if learner.margin_sum[0] + m >= 0.0 and subtract_rank_one(
            learner.inverse, learner.products, form, 1.0
        ):
            learner.margin_sum[0] += m
            step = (1.0 + loss) * scale / (1.0 + form)
            features = learner.weights.shape[0]
            for k in range(scores.shape[0]):
                for j in range(features):
                    learner.weights[j, k] -= step * learner.products[k * features + j]
