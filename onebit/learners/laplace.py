"""Laplace: Bayesian logistic regression of the bit for each label, by a Gaussian posterior."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

from onebit.kernel.exploration import width
from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, dot
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import SCRATCH, Axes, initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.shared.matrix import kalman_step, quadratic_form, set_identity, unit_scale
from onebit.naming.params import OneOf, Real


@learner(hears=Bit, explorer="ucb", estimates=True)
class Laplace(NamedTuple):
    """Logistic regression of the bit for each label, with a Gaussian posterior of the weights.

    A score is the probability that the label is right; a width is how much it rises if the
    log-odds are `deviations` standard deviations of the posterior higher. By default the label with
    the highest sum of both is played. The learner of the played label takes a step of the extended
    Kalman filter, which is an online Laplace approximation. Rows are scaled to norm 1. With
    form=full each label has a covariance matrix of features x features, for up to about 1,000
    features; form=diagonal is for wide rows.

    Reference: the online Laplace approximation of Spiegelhalter and Lauritzen, "Sequential
    updating of conditional probabilities on directed graphical structures", Networks 20 (1990);
    with upper confidence bounds as in Li, Chu, Langford and Schapire, WWW 2010.

    Guarantee: none known.

    >>> from onebit import Agent
    >>> agent = Agent("laplace", labels=["tea", "coffee"], features=1, seed=1)
    >>> for _ in range(9):
    ...     choice = agent.decide([1.0])
    ...     agent.learn(choice, correct=choice.label == "coffee")
    >>> agent.predict([1.0])
    'coffee'
    """

    weights: Annotated[Floats, Axes("features", "labels")]
    covariances: Annotated[Floats, Axes("labels", "features", "columns")]
    products: Annotated[Floats, Axes("features", role=SCRATCH)]
    log_odds: Annotated[Floats, Axes("labels", role=SCRATCH)]
    form: Annotated[
        int, OneOf(("full", "diagonal")), "the covariance of a label, or its diagonal"
    ] = "full"  # type: ignore[assignment]
    variance: Annotated[float, Real("(0, inf)"), "prior variance of a weight"] = 10.0
    deviations: Annotated[
        float, Real("[0, inf)"), "standard deviations that a width is made of"
    ] = 0.3

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Laplace:
        """Return the first state."""
        columns = sizes.features if params["form"] == "full" else 1
        state = initial_state(cls, sizes, {**params, "columns": columns})
        set_identity(state.covariances, state.variance)
        return state


@kernel
def sigmoid(z: float) -> float:
    """Return 1 / (1 + exp(-z)), without overflow."""
    if z >= 0.0:
        return 1.0 / (1.0 + math.exp(-z))
    odds = math.exp(z)
    return odds / (1.0 + odds)


@implements(score, Laplace)
def _(learner: Laplace, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)
    scale = unit_scale(x)
    for k in range(out.shape[0]):
        learner.log_odds[k] = scale * out[k]
        out[k] = sigmoid(learner.log_odds[k])


@implements(width, Laplace)
def _(learner: Laplace, x: Row, label: int) -> float:
    deviation = math.sqrt(quadratic_form(learner.covariances[label], x, unit_scale(x)))
    z = learner.log_odds[label]
    return sigmoid(z + learner.deviations * deviation) - sigmoid(z)  # type: ignore[no-any-return]


@implements(learn, Laplace)
def _(learner: Laplace, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    a, scale = played.label, unit_scale(x)
    form = quadratic_form(learner.covariances[a], x, scale)
    residual = (1.0 if feedback.correct else 0.0) - scores[a]
    weight = scores[a] * (1.0 - scores[a])
    kalman_step(
        learner.covariances[a], learner.weights, a, x, scale, form, residual, weight,
        learner.products,
    )  # fmt: skip
