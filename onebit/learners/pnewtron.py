"""PNewtron: the diagonal form of Newtron, for many features."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, dot, feature
from onebit.kernel.state import SCRATCH, Axes
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.shared.newton import inner, set_slopes, shrink_to_ball, to_play
from onebit.naming.params import Real


@learner(hears=Bit, explorer="mixed", widens=True)
class Pnewtron(NamedTuple):
    """An online Newton step on the log-loss from one bit, with the diagonal of its matrix.

    Labels are played by the softmax of alpha times the products of weights and row, mixed with
    uniform play. Both right and wrong labels teach, by an unbiased estimate of the gradient; the
    weights are kept in a ball.

    Units: alpha and the radius are for rows of norm about 1; `--with unit` gives all rows norm 1.

    Reference: Hazan and Kale, "Newtron: an efficient bandit algorithm for online multiclass
    prediction", NIPS 2011, Section 5 (PNewtron), with its alpha = 10, beta = 0.01, D = 1; the
    projection is Euclidean.

    Guarantee: none for the diagonal; see `newtron`.

    >>> from onebit import Agent
    >>> agent = Agent("pnewtron", labels=["tea", "coffee"], seed=1)
    >>> choice = agent.decide({"morning": 1})
    >>> agent.learn(choice, correct=choice.label == "coffee")
    """

    weights: Annotated[Floats, Axes("features", "labels")]
    sums: Annotated[Floats, Axes("features", "labels")]
    curvature: Annotated[Floats, Axes("features", "labels", within="[0, inf)")]
    squared_length: Annotated[Floats, Axes(1, within="[0, inf)")]
    margins: Annotated[Floats, Axes("labels", role=SCRATCH)]
    slopes: Annotated[Floats, Axes("labels", role=SCRATCH)]
    alpha: Annotated[float, Real("(0, inf)"), "factor of the products in the softmax"] = 10.0
    beta: Annotated[float, Real("(0, inf)"), "weight of the curvature"] = 0.01
    radius: Annotated[float, Real("(0, inf)"), "largest norm of the weights (D)"] = 1.0


@kernel
def step(learner: Pnewtron, x: Row, kappa: float, factor: float) -> None:
    """Add factor G to the sums b and kappa beta G^2 to A, and set the weights to -b / A."""
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            j = feature(x, n)
            for k in range(learner.slopes.shape[0]):
                g, old = learner.slopes[k] * x.values[n], learner.weights[j, k]
                learner.sums[j, k] += factor * g
                learner.curvature[j, k] += kappa * learner.beta * g * g
                new = -learner.sums[j, k] / (1.0 / learner.radius + learner.curvature[j, k])
                learner.weights[j, k] = new
                learner.squared_length[0] += new * new - old * old
    learner.squared_length[0] = max(learner.squared_length[0], 0.0)


@implements(score, Pnewtron)
def _(learner: Pnewtron, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)
    factor = shrink_to_ball(learner.squared_length[0], learner.radius)
    to_play(out, learner.margins, learner.alpha * factor)


@implements(learn, Pnewtron)
def _(learner: Pnewtron, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    kappa = set_slopes(scores[played.label], played, feedback.correct, learner.slopes)
    shrink = shrink_to_ball(learner.squared_length[0], learner.radius)
    product = shrink * inner(learner.slopes, learner.margins)  # G . W
    step(learner, x, kappa, 1.0 - kappa * learner.beta * product)
