"""Cover halving: bandit halving on a grid that covers the linear separators."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.errors import BadParameter
from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, Starts, dot, squared_norm
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import CONSTANT, DERIVED, SCRATCH, Axes, initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.shared.version_space import Bools, RoundCounts, count_round
from onebit.naming.params import Real
from onebit.theory.covers import SPACING
from onebit.theory.hypotheses import format_count

#: The largest grid.
MAX_POINTS = 20_000_000
#: The largest squared norm of a row: 1, plus rounding.
MAX_SQUARED_NORM = 1.0 + 1e-9


@learner(hears=Bit, row="few features", grows=False)
class CoverHalving(NamedTuple):
    """Bandit halving over a grid of linear weights: few mistakes, but only in few dimensions.

    If weights W with 2 ||W||^2 <= D give the right label of every row (of norm at most
    1) a margin of 1, then they are still right after rounding to a grid of spacing below
    1 / sqrt(d). It plays the majority vote of all grid points in that ball, and after a mistake
    removes those that predicted the played label. The grid has about sqrt(2 D d)^(K d)
    points, which is feasible for two features and two or three labels. For wider rows use
    a random projection of the stream (Theorem 8: --with project:n=2).

    Units: rows must have norm 1 at most, and D is for rows of that length.

    Reference: Kakade, Shalev-Shwartz and Tewari, ICML 2008, Theorem 7.

    Guarantee: M <= K ln(number of grid points) = O(K^2 d ln(D d)), if the rows are
    separable at margin 1 by weights of complexity D.

    >>> from onebit import Agent
    >>> agent = Agent("cover-halving", labels=["left", "right"], D=12, seed=1)
    >>> for x, truth in ([0.8, 0.3], "left"), ([-0.8, 0.1], "right"), ([0.9, -0.2], "left"):
    ...     choice = agent.decide(x)
    ...     agent.learn(choice, correct=choice.label == truth)
    >>> agent.predict([0.9, 0.1])
    'left'
    """

    points: Annotated[Floats, Axes("features", 0, role=CONSTANT)]
    alive: Annotated[Bools, Axes(0, 0, dtype="bool")]
    #: How many points are alive in each row of `alive`.
    remaining: Annotated[Starts, Axes(0, dtype="int64", role=DERIVED)]
    round_counts: RoundCounts
    point_scores: Annotated[Floats, Axes(0, role=SCRATCH)]
    #: A norm above 1, or 0: of the row just scored; of a row that was not learned, until reported.
    excess: Annotated[Floats, Axes(2, role=SCRATCH)]
    D: Annotated[float, Real("(0, 1e12]"), "twice the squared norm of separating weights"] = 6.0

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> CoverHalving:
        """Return the first state: all grid points in the ball are alive."""
        cover = Cover.of(params["D"], sizes)
        cover.check("CoverHalving", params["D"], "features")
        alive = cover.inside()
        points = cover.points()
        return initial_state(cls, sizes, params)._replace(
            points=points,
            alive=alive,
            remaining=alive.sum(axis=1, dtype=np.int64),
            point_scores=np.zeros(points.shape[1]),
        )

    def derive(self) -> None:
        """Count the points that are alive."""
        self.remaining[:] = self.alive.sum(axis=1)

    def refusal(self) -> str | None:
        """Return an error sentence if the norm of the row just scored is above 1."""
        return norm_error(float(self.excess[0]))

    def complaint(self) -> str | None:
        """Return an error sentence if a row's norm was above 1, or if no grid point is left."""
        norm, self.excess[1] = float(self.excess[1]), 0.0
        if norm > 0.0:
            return norm_error(norm)
        if self.round_counts[1] == 0:
            return None
        return (
            f"no weights are left after round {self.round_counts[1]} of those with feedback: the"
            f" rows are not separable at margin 1 with D = {self.D:g}."
        )


def norm_error(norm: float) -> str | None:
    """Return an error sentence for the norm of a row that is too long, None if it is 0."""
    if norm == 0.0:
        return None
    return f"a row must have a norm of at most 1, got {norm:g}; --with unit sees to it."


class Cover(NamedTuple):
    """The grid of weights of K labels, with `side` steps on each side of 0."""

    sizes: Sizes
    side: int
    spacing: float
    radius: float

    @classmethod
    def of(cls, D: float, sizes: Sizes) -> Cover:  # noqa: N803  as in the paper
        """Return the grid that covers the ball of matrices of squared norm D / 2.

        Rounding moves a matrix out of the ball by at most half a cell's diagonal.
        """
        spacing = SPACING / math.sqrt(sizes.features)
        radius = math.sqrt(D / 2.0)
        diagonal = spacing * math.sqrt(sizes.features * sizes.labels)
        side = math.floor(radius / spacing + 0.5)
        return cls(sizes, side, spacing, radius + diagonal / 2.0)

    @property
    def size(self) -> int:
        """The number of grid points, including those outside of the ball."""
        return int((2 * self.side + 1) ** (self.sizes.features * self.sizes.labels))

    def check(self, who: str, D: float, what: str) -> None:  # noqa: N803  as in the paper
        """Raise BadParameter if there are too many points."""
        dimensions, labels = self.sizes[:2]
        digits = dimensions * labels * math.log10(2 * self.side + 1)
        if digits > 300.0 or self.size > MAX_POINTS:
            count = f"about 1e{digits:.0f}" if digits > 300.0 else format_count(self.size)
            raise BadParameter(
                f"{who}: the grid for D = {D:g}, {dimensions} {what} and {labels} labels must have"
                f" at most {MAX_POINTS:,} points, got {count}."
            )

    def points(self) -> Floats:
        """Return all grid points for the weights of one label, as columns."""
        steps = range(-self.side, self.side + 1)
        grid = itertools.product(steps, repeat=self.sizes.features)
        return np.ascontiguousarray(np.array(list(grid), np.float64).T * self.spacing)

    def inside(self) -> Bools:
        """Return which points for all labels are in the ball; the columns are the last label's."""
        squares = (self.points() ** 2).sum(axis=0)
        total = np.zeros(1)
        for _ in range(self.sizes.labels):
            total = np.add.outer(total, squares).ravel()
        return (total <= self.radius**2).reshape(-1, len(squares))


@kernel
def best_of_others(values: Floats, labels: int, others: int) -> tuple[float, int]:
    """Return the best score among all labels but the last, and its label (the first if equal)."""
    best_score, label = -np.inf, 0
    for k in range(labels - 2, -1, -1):
        value = values[others % values.shape[0]]
        others //= values.shape[0]
        if value >= best_score:
            best_score, label = value, k
    return best_score, label


@implements(score, CoverHalving)
def _(learner: CoverHalving, x: Row, out: Floats) -> None:
    out[:] = 0.0
    square = squared_norm(x)
    learner.excess[0] = math.sqrt(square) if square > MAX_SQUARED_NORM else 0.0
    dot(x, learner.points, learner.point_scores)
    last = out.shape[0] - 1
    for others in range(learner.alive.shape[0]):
        if learner.remaining[others] == 0:
            continue
        best_score, label = best_of_others(learner.point_scores, out.shape[0], others)
        for p in range(learner.alive.shape[1]):
            if learner.alive[others, p]:
                predicted = last if learner.point_scores[p] > best_score else label
                out[predicted] += 1.0


@implements(learn, CoverHalving)
def _(learner: CoverHalving, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    if learner.excess[0] > 0.0:
        if learner.excess[1] == 0.0:
            learner.excess[1] = learner.excess[0]
        return
    left = 0.0
    for k in range(scores.shape[0]):
        left += scores[k]
    if not feedback.correct:
        left -= scores[played.label]
        last = scores.shape[0] - 1
        for others in range(learner.alive.shape[0]):
            if learner.remaining[others] == 0:
                continue
            best_score, label = best_of_others(learner.point_scores, scores.shape[0], others)
            for p in range(learner.alive.shape[1]):
                if learner.alive[others, p]:
                    predicted = last if learner.point_scores[p] > best_score else label
                    if predicted == played.label:
                        learner.alive[others, p] = False
                        learner.remaining[others] -= 1
    count_round(learner.round_counts, int(left))
