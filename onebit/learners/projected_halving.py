"""Projected halving: bandit halving on a cover of the separators of randomly projected rows."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.kernel.projecting import add_signed, cut_to_unit
from onebit.kernel.rng import key
from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Dense, Floats, Row, feature, squared_norm
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import SCRATCH, Axes, begin, initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.cover_halving import MAX_SQUARED_NORM, Cover, CoverHalving, norm_error
from onebit.naming.params import Auto, Real, Whole
from onebit.theory.covers import projection


@learner(hears=Bit, row="few features", grows=False)
class ProjectedHalving(NamedTuple):
    """Cover halving on rows that it projects itself: mistakes that do not grow with the width.

    From the complexity D of weights with margin 1, the number of rounds and the probability
    of failure it derives a dimension in which a random projection keeps half of every margin, and
    the complexity 9 D there; it then plays `cover-halving` on P x / sqrt(d'), with the entries
    of P drawn from {-1, +1}. Rows that are not wider than that are not projected. The dimension
    of the theorem is 89 at least, and its cover of 10^287 points or more fits into no memory,
    which is told with its size; `dimension=2` tries how far few dimensions go, without the
    guarantee.

    Units: rows must have norm 1 at most, and D is for rows of that length.

    Reference: Kakade, Shalev-Shwartz and Tewari, ICML 2008, Theorem 8; the constants are those
    of R. Arriaga and S. Vempala, Machine Learning 63(2), 2006, Corollary 2.

    Guarantee: M <= K ln(number of grid points) = O(K^2 D ln(T K / delta) ln D) up to logarithms
    of logarithms, with probability 1 - delta, at dimension=auto.

    >>> from onebit import Agent
    >>> agent = Agent("projected-halving", labels=["left", "right"], D=12, seed=1)
    >>> for x, truth in ([0.8, 0.3], "left"), ([-0.8, 0.1], "right"), ([0.9, -0.2], "left"):
    ...     choice = agent.decide(x)
    ...     agent.learn(choice, correct=choice.label == truth)
    >>> agent.predict([0.9, 0.1])
    'left'
    """

    projected: Annotated[Floats, Axes(0, role=SCRATCH)]
    excess: Annotated[Floats, Axes(2, role=SCRATCH)]  # norms above 1: of this row, of the first
    cover: Any = None
    signs: int = 0
    D: Annotated[float, Real("[1, 1e12]"), "twice the squared norm of separating weights"] = 6.0
    rounds: Annotated[int, Whole(1), "number of rounds, T"] = 10_000
    failure: Annotated[float, Real("(0, 1)"), "probability that the projection may fail"] = 0.05
    dimension: Annotated[
        int, Auto(Whole(1)), "dimensions to project to; auto: those of the theorem"
    ] = "auto"  # type: ignore[assignment]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> ProjectedHalving:
        """Return the first state: a cover of the separators of projected rows."""
        found = projection(sizes.labels, params["rounds"], params["D"], params["failure"])
        dimension = found.dimension if params["dimension"] == "auto" else params["dimension"]
        complexity = found.complexity
        if dimension >= sizes.features:
            dimension, complexity = sizes.features, params["D"]
        few = Sizes(dimension, sizes.labels)
        Cover.of(complexity, few).check("ProjectedHalving", complexity, "dimensions")
        return initial_state(cls, sizes, {**params, "dimension": dimension})._replace(
            projected=np.zeros(dimension if dimension < sizes.features else 0),
            cover=begin(CoverHalving, few, seed, {"D": complexity}),
            signs=key(seed, "projected halving"),
        )

    def refusal(self) -> str | None:
        """Return an error sentence if the norm of the row just scored is above 1."""
        return norm_error(float(self.excess[0]))

    def complaint(self) -> str | None:
        """Return an error sentence if a row's norm was above 1."""
        norm, self.excess[1] = float(self.excess[1]), 0.0
        return norm_error(norm)


@kernel
def project_row(learner: ProjectedHalving, x: Row) -> None:
    """Write the projected row, scaled to norm 1 at most."""
    out = learner.projected
    root = math.sqrt(out.shape[0])
    for c in range(out.shape[0]):
        out[c] = 0.0
    for e in range(x.values.shape[0]):
        if x.values[e] != 0.0:
            add_signed(feature(x, e), x.values[e] / root, learner.signs, out)
    cut_to_unit(out)


@implements(score, ProjectedHalving)
def _(learner: ProjectedHalving, x: Row, out: Floats) -> None:
    square = squared_norm(x)
    learner.excess[0] = math.sqrt(square) if square > MAX_SQUARED_NORM else 0.0
    if learner.projected.shape[0] == 0:
        score(learner.cover, x, out)
    else:
        project_row(learner, x)
        score(learner.cover, Dense(learner.projected), out)


@implements(learn, ProjectedHalving)
def _(learner: ProjectedHalving, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    if learner.excess[0] > 0.0:
        if learner.excess[1] == 0.0:
            learner.excess[1] = learner.excess[0]
    else:
        learn(learner.cover, x, scores, played, feedback)  # of the row only the scores are used
