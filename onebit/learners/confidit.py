"""Confidit: ridge regression of the bit for each label, with upper confidence bounds."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

from onebit.kernel.exploration import width
from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, dot
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import SCRATCH, Axes, initial_state
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.learners.shared.matrix import kalman_step, quadratic_form, set_identity, unit_scale
from onebit.naming.params import OneOf, Real

FULL = 0


@learner(hears=Bit, explorer="ucb")
class Confidit(NamedTuple):
    """Ridge regression of +1 (right) or -1 (wrong) for each label, with confidence widths.

    The learner of the played label learns; the score of a label is its prediction, and its width
    sqrt(eta x'A^-1 x), where A is the sum of x x' over the rows on which the label was played.
    By default the label with the highest score + width is played. Rows are scaled to norm 1. With
    form=full each label has a matrix of features x features; form=diagonal is for wide rows, and
    poor where features depend on each other.

    Reference: Crammer and Gentile, "Multiclass classification with bandit feedback using adaptive
    regularization", ICML 2011, with eta constant and without the projection of w to |w.x| <= 1.

    Guarantee: none for a constant eta. The paper's, with growing eta, is a regret of the order
    sqrt(T) ln T if the probability of being right is linear: (1 + u_k . x) / 2.

    >>> from onebit import Agent
    >>> agent = Agent("confidit", labels=["tea", "coffee"], features=1, seed=1)
    >>> for _ in range(9):
    ...     choice = agent.decide([1.0])
    ...     agent.learn(choice, correct=choice.label == "coffee")
    >>> agent.predict([1.0])
    'coffee'
    """

    weights: Annotated[Floats, Axes("features", "labels")]
    inverses: Annotated[Floats, Axes("labels", "features", "columns")]
    products: Annotated[Floats, Axes("features", role=SCRATCH)]
    form: Annotated[int, OneOf(("full", "diagonal")), "the matrix of a label, or its diagonal"] = (
        "full"  # type: ignore[assignment]
    )
    alpha: Annotated[float, Real("(-1, inf)"), "A starts from (1 + alpha)^2 I"] = 0.0
    eta: Annotated[float, Real("[0, inf)"), "squared factor of the widths"] = 0.1

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Confidit:
        """Return the first state."""
        columns = sizes.features if params["form"] == "full" else 1
        state = initial_state(cls, sizes, {**params, "columns": columns})
        set_identity(state.inverses, 1.0 / (1.0 + state.alpha) ** 2)
        return state


@implements(score, Confidit)
def _(learner: Confidit, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)
    scale = unit_scale(x)
    for k in range(out.shape[0]):
        out[k] *= scale


@implements(width, Confidit)
def _(learner: Confidit, x: Row, label: int) -> float:
    return math.sqrt(learner.eta * quadratic_form(learner.inverses[label], x, unit_scale(x)))


@implements(learn, Confidit)
def _(learner: Confidit, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    a, scale = played.label, unit_scale(x)
    form = quadratic_form(learner.inverses[a], x, scale)
    residual = (1.0 if feedback.correct else -1.0) - scores[a]
    kalman_step(
        learner.inverses[a], learner.weights, a, x, scale, form, residual, 1.0, learner.products
    )
