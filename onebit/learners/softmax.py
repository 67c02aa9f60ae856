"""Softmax: multinomial logistic regression from one bit, by partial likelihood and AdaGrad."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, dot
from onebit.kernel.state import SCRATCH, Axes
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.learners.shared.conditioned import rate_for
from onebit.learners.shared.experts import forget
from onebit.learners.shared.softmax_steps import adagrad_step, bit_gradient, to_probabilities
from onebit.learners.shared.table import set_rows_to_zero
from onebit.naming.params import OneOf, Real


@learner(hears=Bit, explorer="fastcb", estimates=True, widens=True)
class Softmax(NamedTuple):
    """Multinomial logistic regression from one bit of feedback, with steps of AdaGrad.

    A score is the probability p that a label is right, by the softmax of linear functions. After
    a right label the loss is -log p, as with full information; after a wrong one it is
    -log(1 - p), which lowers the played label and raises the others in proportion to their
    probabilities. The likelihood is that of the bit that was heard, so no importance weights are
    needed, and every round teaches all labels. Fast and good by default; the explorers `fastcb`
    and `squarecb` use its probabilities.

    Units: a weight moves by about `rate` at first, whatever the unit of its feature, so rates are
    for features of about 1.

    Reference: the partial likelihood of a bit is standard; steps by Duchi, Hazan and Singer,
    "Adaptive subgradient methods for online learning and stochastic optimization", JMLR 12 (2011).

    Guarantee: none known; the loss of a wrong label is not convex in the weights.

    >>> from onebit import Agent
    >>> agent = Agent("softmax", labels=["tea", "coffee"], seed=1)
    >>> for _ in range(50):
    ...     choice = agent.decide({"morning": 1})
    ...     agent.learn(choice, correct=choice.label == "coffee")
    >>> agent.predict({"morning": 1})
    'coffee'
    """

    weights: Annotated[Floats, Axes("features", "labels", dtype="dtype")]
    squares: Annotated[Floats, Axes("features", "labels", dtype="dtype", within="[0, inf)")]
    gradient: Annotated[Floats, Axes("labels", dtype="dtype", role=SCRATCH)]
    rate: Annotated[float, Real("(0, inf)"), "step size of AdaGrad"] = 0.1
    floor: Annotated[float, Real("(0, inf)"), "added to the sums of squared gradients"] = 1e-6
    dtype: Annotated[int, OneOf(("float64", "float32")), "type of the weights"] = "float64"  # type: ignore[assignment]


@implements(score, Softmax)
def _(learner: Softmax, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)
    to_probabilities(out)


@implements(learn, Softmax)
def _(learner: Softmax, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    bit_gradient(scores, played.label, feedback.correct, learner.gradient)
    rate = rate_for(x, learner.rate)
    adagrad_step(x, learner.gradient, rate, learner.floor, learner.weights, learner.squares)


@implements(forget, Softmax)
def _(learner: Softmax) -> None:
    set_rows_to_zero(learner.weights, learner.weights.shape[0])
    set_rows_to_zero(learner.squares, learner.weights.shape[0])
