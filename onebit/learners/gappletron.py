"""Gappletron: logistic regression that explores more where its best label is uncertain."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, add, dot, squared_norm
from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.learners.shared.softmax_steps import to_probabilities
from onebit.naming.params import Real

#: Added to the sum of squared gradients, against a division by zero.
TINY = 1e-8


@learner(hears=Bit, explorer="gap", widens=True)
class Gappletron(NamedTuple):
    """Logistic regression from one bit, which explores more where its best label is uncertain.

    It learns only if the played label was right, by the gradient of the logistic loss times the
    importance weight 1 / prob. The step size is diameter / sqrt(2 sum of squared gradients); the
    default diameter was chosen on the stream `synnonsep`. The less it knows, the more it explores,
    which costs many mistakes under noise, where it never stops exploring.

    Units: the diameter is for rows of norm about 1; `--with unit` gives all rows norm 1.

    Reference: van der Hoeven, Fusco and Cesa-Bianchi, "Beyond bandit feedback in online multiclass
    classification", NeurIPS 2021, for bandit feedback and the logistic loss, with its scale-free
    online gradient descent; after van der Hoeven, NeurIPS 2020 (Gaptron).

    Guarantee: E[M] is at most the logistic loss (base 2) of the best weights plus a regret of the
    order K sqrt(T), with gamma of the order K / sqrt(T).

    >>> from onebit import Agent
    >>> agent = Agent("gappletron", labels=["tea", "coffee"], seed=1)
    >>> choice = agent.decide({"morning": 1})
    >>> agent.learn(choice, correct=choice.label == "coffee")
    """

    weights: Annotated[Floats, Axes("features", "labels")]
    squares: Annotated[Floats, Axes(1, within="[0, inf)")]
    diameter: Annotated[float, Real("(0, inf)"), "size of the set of weights (B)"] = 3.0


@implements(score, Gappletron)
def _(learner: Gappletron, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)
    to_probabilities(out)


@implements(learn, Gappletron)
def _(learner: Gappletron, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    if feedback.correct:
        total = 0.0
        for k in range(scores.shape[0]):
            slope = scores[k] - (1.0 if k == played.label else 0.0)
            total += slope * slope
        learner.squares[0] += total * squared_norm(x) / (played.prob * played.prob)
        rate = learner.diameter / math.sqrt(2.0 * (TINY + learner.squares[0]))
        for k in range(scores.shape[0]):
            slope = scores[k] - (1.0 if k == played.label else 0.0)
            add(x, -rate * slope / played.prob, learner.weights, k)
