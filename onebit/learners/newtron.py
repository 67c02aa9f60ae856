"""Newtron: an online Newton step on the log-loss from one bit."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, dot, feature
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import SCRATCH, Axes, initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.shared.matrix import set_identity, subtract_rank_one
from onebit.learners.shared.newton import inner, set_slopes, shrink_to_ball, to_play
from onebit.naming.params import Real


@learner(hears=Bit, explorer="mixed", row="few features")
class Newtron(NamedTuple):
    """An online Newton step on the log-loss from one bit, with a matrix of all pairs of weights.

    As `pnewtron`, but with the whole matrix, of (labels x features)^2 numbers, and a round takes
    as many steps: for few features.

    Units: alpha and the radius are for rows of norm about 1; `--with unit` gives all rows norm 1.

    Reference: Hazan and Kale, "Newtron: an efficient bandit algorithm for online multiclass
    prediction", NIPS 2011, Algorithm 1, with the alpha = 10, beta = 0.01 and D = 1 of its
    experiments; the projection onto the ball is Euclidean.

    Guarantee: with the projection in the norm of A, a regret of the order ln T against the log-loss
    for a constant alpha, and sqrt(T) for alpha of the order ln T (Theorem 2 and Corollary 3).

    >>> from onebit import Agent
    >>> agent = Agent("newtron", labels=["tea", "coffee"], features=1, seed=1)
    >>> choice = agent.decide([1.0])
    >>> agent.learn(choice, correct=choice.label == "coffee")
    """

    weights: Annotated[Floats, Axes("features", "labels")]
    inverse: Annotated[Floats, Axes("labels*features", "labels*features")]
    squared_length: Annotated[Floats, Axes(1, within="[0, inf)")]
    products: Annotated[Floats, Axes("labels*features", role=SCRATCH)]
    margins: Annotated[Floats, Axes("labels", role=SCRATCH)]
    slopes: Annotated[Floats, Axes("labels", role=SCRATCH)]
    alpha: Annotated[float, Real("(0, inf)"), "factor of the products in the softmax"] = 10.0
    beta: Annotated[float, Real("(0, inf)"), "weight of the curvature"] = 0.01
    radius: Annotated[float, Real("(0, inf)"), "largest norm of the weights (D)"] = 1.0

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Newtron:
        """Return the first state: A is the identity over the radius."""
        state = initial_state(cls, sizes, params)
        set_identity(state.inverse, state.radius)
        return state


@kernel
def times_gradient(learner: Newtron, x: Row) -> float:
    """Set products to A^-1 G, G = slopes (outer) x, and return G'A^-1 G."""
    features, v = learner.weights.shape[0], learner.products
    for i in range(v.shape[0]):
        v[i] = 0.0
        for k in range(learner.slopes.shape[0]):
            total = 0.0
            for n in range(x.values.shape[0]):
                if x.values[n] != 0.0:
                    total += x.values[n] * learner.inverse[i, k * features + feature(x, n)]
            v[i] += learner.slopes[k] * total
    form = 0.0
    for k in range(learner.slopes.shape[0]):
        for n in range(x.values.shape[0]):
            if x.values[n] != 0.0:
                form += learner.slopes[k] * x.values[n] * v[k * features + feature(x, n)]
    return max(form, 0.0)


@implements(score, Newtron)
def _(learner: Newtron, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)
    factor = shrink_to_ball(learner.squared_length[0], learner.radius)
    to_play(out, learner.margins, learner.alpha * factor)


@implements(learn, Newtron)
def _(learner: Newtron, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    kappa = set_slopes(scores[played.label], played, feedback.correct, learner.slopes)
    shrink = shrink_to_ball(learner.squared_length[0], learner.radius)
    product = inner(learner.slopes, learner.margins)  # G . U, where U = -A^-1 b and W = shrink U
    weight = kappa * learner.beta
    form = times_gradient(learner, x)
    if subtract_rank_one(learner.inverse, learner.products, form, weight):
        factor = 1.0 - weight * shrink * product
        shared = weight / (1.0 + weight * form)
        step = shared * (factor * form - product) - factor
        features = learner.weights.shape[0]
        total = 0.0
        for k in range(scores.shape[0]):
            for j in range(features):
                learner.weights[j, k] += step * learner.products[k * features + j]
                total += learner.weights[j, k] * learner.weights[j, k]
        learner.squared_length[0] = total
