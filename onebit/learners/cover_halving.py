"""Cover halving: bandit halving on a grid that holds a separator of the rows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.errors import BadInput
from onebit.hypotheses import in_words
from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, Starts, dot, squared_norm
from onebit.kernel.state import Axes, Sizes, initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.shared.version_space import Alive, Ledger, note
from onebit.naming.params import Real
from onebit.theory.bounds import SPACING

#: A grid of more weights than this is refused.
MOST = 20_000_000
#: The squared norm of a row may be above 1 by rounding.
LONGEST = 1.0 + 1e-9


@learner(hears=Bit, row="few features", grows=False)
class CoverHalving(NamedTuple):
    """Bandit halving over a grid of linear weights: few mistakes, but only in few dimensions.

    If weights W with 2 ||W||^2 <= D give the right label of every row (of norm at most
    1) a margin of 1, then rounding them to a grid of spacing below 1 / sqrt(d) leaves
    them right. It plays the majority of all grid points in that ball, and drops those
    that were wrong on a mistake. The grid has about sqrt(2 D d)^(K d) points: two
    features and two or three labels are in reach. For wider rows put the stream
    through a random projection first (Theorem 8: --with project:n=2).

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

    points: Annotated[Floats, Axes("features", 0)]
    alive: Annotated[Alive, Axes(0, 0, dtype="bool")]
    left: Annotated[Starts, Axes(0, dtype="int64")]
    ledger: Annotated[Ledger, Axes(2, dtype="int64")]
    values: Annotated[Floats, Axes(0, kept=False)]
    excess: Annotated[Floats, Axes(1, kept=False)]  # the norm of a row that was above 1
    D: Annotated[float, Real("(0, 1e12]"), "twice the squared norm of separating weights"] = 6.0

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> CoverHalving:
        """Return the grid: points for one label's weights, and which K of them are left."""
        cover = Cover.of(params["D"], sizes)
        if cover.size > MOST:
            raise BadInput(
                f"CoverHalving: the grid for D = {params['D']:g}, {sizes.features} features and"
                f" {sizes.labels} labels must have at most {MOST:,} points, got"
                f" {in_words(cover.size)}."
            )
        alive = cover.inside()
        left = alive.sum(axis=1, dtype=np.int64)  # so that nobody looks where none is left
        state = initial_state(cls, sizes, params)
        points = cover.points()
        values = np.zeros(points.shape[1])
        return state._replace(points=points, alive=alive, left=left, values=values)

    def complaint(self) -> str | None:
        """Say when a row was too long to learn from, and when no grid point is left."""
        norm, self.excess[0] = float(self.excess[0]), 0.0
        if norm > 0.0:
            return f"a row must have a norm of at most 1, got {norm:g}; --with unit sees to it."
        if self.ledger[1] == 0:
            return None
        return (
            f"no weights are left after round {self.ledger[1]} of those with feedback: the rows"
            f" are not separable at margin 1 with D = {self.D:g}."
        )


class Cover(NamedTuple):
    """The grid of weights of K labels, `side` steps to each side of 0."""

    sizes: Sizes
    side: int
    spacing: float
    radius: float

    @classmethod
    def of(cls, D: float, sizes: Sizes) -> Cover:  # noqa: N803  as in the paper
        """Return the grid that covers the ball of matrices of squared norm D / 2.

        A rounded matrix leaves the ball by no more than half a cell's diagonal.
        """
        spacing = SPACING / math.sqrt(sizes.features)
        radius = math.sqrt(D / 2.0)
        diagonal = spacing * math.sqrt(sizes.features * sizes.labels)
        side = math.floor(radius / spacing + 0.5)
        return cls(sizes, side, spacing, radius + diagonal / 2.0)

    @property
    def size(self) -> int:
        """The number of grid points, also those outside of the ball."""
        return int((2 * self.side + 1) ** (self.sizes.features * self.sizes.labels))

    def points(self) -> Floats:
        """Return all grid points for the weights of one label, a column each."""
        steps = range(-self.side, self.side + 1)
        grid = itertools.product(steps, repeat=self.sizes.features)
        return np.ascontiguousarray(np.array(list(grid), np.float64).T * self.spacing)

    def inside(self) -> Alive:
        """Say which points for all labels are in the ball, the last label's side by side."""
        squares = (self.points() ** 2).sum(axis=0)
        total = np.zeros(1)
        for _ in range(self.sizes.labels):
            total = np.add.outer(total, squares).ravel()
        return (total <= self.radius**2).reshape(-1, len(squares))


@kernel
def best_of_others(values: Floats, labels: int, others: int) -> tuple[float, int]:
    """Return the best score and its label among all labels but the last, the first of equals."""
    top, label = -np.inf, 0
    for k in range(labels - 2, -1, -1):
        value = values[others % values.shape[0]]
        others //= values.shape[0]
        if value >= top:
            top, label = value, k
    return top, label


@implements(score, CoverHalving)
def _(learner: CoverHalving, x: Row, out: Floats) -> None:
    out[:] = 0.0
    dot(x, learner.points, learner.values)
    last = out.shape[0] - 1
    for others in range(learner.alive.shape[0]):
        if learner.left[others] == 0:
            continue
        top, label = best_of_others(learner.values, out.shape[0], others)
        for p in range(learner.alive.shape[1]):
            if learner.alive[others, p]:
                says = last if learner.values[p] > top else label
                out[says] += 1.0


@implements(learn, CoverHalving)
def _(learner: CoverHalving, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    if squared_norm(x) > LONGEST:
        learner.excess[0] = math.sqrt(squared_norm(x))
        return
    left = 0.0
    for k in range(scores.shape[0]):
        left += scores[k]
    if not feedback.correct:
        left -= scores[played.label]
        last = scores.shape[0] - 1
        for others in range(learner.alive.shape[0]):
            if learner.left[others] == 0:
                continue
            top, label = best_of_others(learner.values, scores.shape[0], others)
            for p in range(learner.alive.shape[1]):
                if learner.alive[others, p]:
                    says = last if learner.values[p] > top else label
                    if says == played.label:
                        learner.alive[others, p] = False
                        learner.left[others] -= 1
    note(learner.ledger, int(left))
