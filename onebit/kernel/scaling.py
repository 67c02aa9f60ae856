"""Numeric columns centred and divided by their deviation, from the rows before and this one.

`Scaled` is a learner that holds another one and gives it scaled rows. Its means and deviations
are state like any other: `score` includes its row without storing it, `learn` stores it. So
deciding changes nothing, nor does a round that is never learned from.

A scaled row has one more feature, the last, with the same value in every row: centred numbers
alone could not say that one label is more frequent. All its values are divided by the square root
of the number of numeric columns, so that its norm does not grow with them.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

from onebit.kernel.round import (
    Feedback,
    Played,
    conditioned,
    learn,
    score,
    unwrapped,
)
from onebit.kernel.rows import Dense, Floats, Ints, Row, Sparse, Starts, value
from onebit.kernel.sizes import NUMERIC, Column, Sizes, check_columns
from onebit.kernel.state import CONSTANT, COUNTS, SCRATCH, Axes, initial_state
from onebit.kernel.verbs import implements, kernel, verb

#: Scaled numbers are clipped to this size.
CLIP = 3.0


class Scaling(NamedTuple):
    """How many rows were learned from, and the mean and squared deviations of each number.

    `places` are the features that are numbers, in ascending order; `factor` multiplies all values
    of a scaled row. The latest scaled row is in `dense`, or in the first `length` of `indices` and
    `values`.
    """

    rows: Annotated[Floats, Axes(1, within=COUNTS)]
    means: Annotated[Floats, Axes("numbers")]
    ssds: Annotated[Floats, Axes("numbers", within="[0, inf)")]
    places: Annotated[Ints, Axes("numbers", dtype="int32", role=CONSTANT)]
    factor: Annotated[Floats, Axes(1, role=CONSTANT)]
    length: Annotated[Starts, Axes(1, dtype="int64", role=SCRATCH)]
    indices: Annotated[Ints, Axes("width", dtype="int32", role=SCRATCH)]
    values: Annotated[Floats, Axes("width", role=SCRATCH)]
    dense: Annotated[Floats, Axes("width", role=SCRATCH)]


class Scaled(NamedTuple):
    """A learner that scales the numbers of rows for another learner."""

    scaling: Scaling
    inner: Any


def numeric_features(sizes: Sizes) -> list[int]:
    """Return the features that are declared to be numbers, in ascending order."""
    columns = check_columns("Agent", sizes.columns, sizes.features)
    return [column.first for column in columns if column.values == NUMERIC]


def begin_scaling(sizes: Sizes) -> Scaling:
    """Return the first state of the scaling of rows of these sizes."""
    numbers = numeric_features(sizes)
    width = scaled_sizes(sizes).features
    state = initial_state(Scaling, sizes, {"numbers": len(numbers), "width": width})
    state.places[:] = numbers
    state.factor[0] = 1.0 / math.sqrt(max(len(numbers), 1))
    return state


def scaled_sizes(sizes: Sizes) -> Sizes:
    """Return the sizes of scaled rows: one feature more, the constant."""
    last = Column(sizes.features, 1, 1)
    return sizes._replace(features=sizes.features + 1, columns=(*sizes.columns, last), scale=False)


@kernel
def passing(scaling: Scaling, m: int, x: float) -> tuple[float, float]:
    """Return the mean and the squared deviations of number m with x added (Welford 1962)."""
    offset = x - scaling.means[m]
    mean = scaling.means[m] + offset / (scaling.rows[0] + 1.0)
    return mean, scaling.ssds[m] + offset * (x - mean)


@kernel
def standardized(scaling: Scaling, m: int, x: float) -> float:
    """Return number m, centred, divided by its deviation and clipped; 0 if it never varied."""
    mean, ssd = passing(scaling, m, x)
    if not ssd > 0.0:
        return 0.0
    z = (x - mean) / math.sqrt(ssd / (scaling.rows[0] + 1.0))
    return min(max(z, -CLIP), CLIP)  # type: ignore[no-any-return]


@kernel
def add_row(scaling: Scaling, x: Row) -> None:
    """Add the numbers of a row to the means and deviations."""
    for m in range(scaling.places.shape[0]):
        mean, ssd = passing(scaling, m, value(x, scaling.places[m]))
        scaling.means[m], scaling.ssds[m] = mean, ssd
    scaling.rows[0] += 1.0


@verb
def scaled(x: Row, scaling: Scaling) -> Any:
    """Return the scaled row, in scratch arrays that the next call overwrites."""


@verb
def latest(x: Row, scaling: Scaling) -> Any:
    """Return the scaled row again."""


@implements(latest, Dense)
def _(x: Dense, scaling: Scaling) -> Dense:
    return Dense(scaling.dense)


@implements(latest, Sparse)
def _(x: Sparse, scaling: Scaling) -> Sparse:
    n = scaling.length[0]
    return Sparse(scaling.indices[:n], scaling.values[:n])


@implements(scaled, Dense)
def _(x: Dense, scaling: Scaling) -> Dense:
    out, factor = scaling.dense, scaling.factor[0]
    for j in range(x.values.shape[0]):
        out[j] = x.values[j] * factor
    for m in range(scaling.places.shape[0]):
        j = scaling.places[m]
        out[j] = standardized(scaling, m, x.values[j]) * factor
    out[x.values.shape[0]] = factor
    return Dense(out)


@implements(scaled, Sparse)
def _(x: Sparse, scaling: Scaling) -> Sparse:
    factor, count = scaling.factor[0], scaling.places.shape[0]
    n, m, end = 0, 0, 0
    while n < x.indices.shape[0] or m < count:
        if m == count or (n < x.indices.shape[0] and x.indices[n] < scaling.places[m]):
            j, z = x.indices[n], x.values[n]
            n += 1
        else:
            j, number = scaling.places[m], 0.0
            if n < x.indices.shape[0] and x.indices[n] == j:
                number = x.values[n]
                n += 1
            z = standardized(scaling, m, number)
            m += 1
        if z != 0.0:
            scaling.indices[end], scaling.values[end] = j, z * factor
            end += 1
    scaling.indices[end], scaling.values[end] = scaling.indices.shape[0] - 1, factor
    scaling.length[0] = end + 1
    return Sparse(scaling.indices[: end + 1], scaling.values[: end + 1])


@implements(unwrapped, Scaled)
def _(learner: Scaled) -> Any:
    return learner.inner


@implements(score, Scaled)
def _(learner: Scaled, x: Row, out: Floats) -> None:
    score(learner.inner, scaled(x, learner.scaling), out)


@implements(conditioned, Scaled)
def _(learner: Scaled, x: Row) -> Any:
    return conditioned(learner.inner, latest(x, learner.scaling))


@implements(learn, Scaled)
def _(learner: Scaled, x: Row, scores: Floats, played: Played, feedback: Feedback) -> None:
    learn(learner.inner, latest(x, learner.scaling), scores, played, feedback)
    add_row(learner.scaling, x)
