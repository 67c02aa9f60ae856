"""Conditioned rows: what `conditioning` makes of a row, and what learners may ask of any row.

A conditioned row begins with a bias entry. It knows whether it is a row of a table, whether it
has numbers, and by what its values were scaled. The verbs below answer the same questions for
plain rows, so that a learner can be played on either.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.kernel.rows import Floats, Ints, Row, Sparse, add, dot, feature, squared_norm, value
from onebit.kernel.verbs import implements, verb

Flags = npt.NDArray[np.int8]
#: Entries of a row beyond this are ignored.
MOST_ENTRIES = 2**20


class Conditioned(NamedTuple):
    """A row whose values are of even size.

    Attributes
    ----------
    indices : array of int32
        The columns; the first is the bias, column 0. Their order is that of the row, then come
        numbers that are zero.
    values : array of float64
        Their values.
    numeric : array of int8
        1 where the value is a number that was centred and scaled.
    scale : float
        What the values were multiplied with at the end.
    has_numbers : bool
        Whether any value is a number.
    in_table : bool
        Whether rows are those of a table: few features, most of them present.
    """

    indices: Ints
    values: Floats
    numeric: Flags
    scale: float
    has_numbers: bool
    in_table: bool


@implements(dot, Conditioned)
def _(x: Conditioned, weights: Floats, out: Floats) -> None:
    dot(Sparse(x.indices, x.values), weights, out)


@implements(add, Conditioned)
def _(x: Conditioned, step: float, weights: Floats, label: int) -> None:
    add(Sparse(x.indices, x.values), step, weights, label)


@implements(squared_norm, Conditioned)
def _(x: Conditioned) -> float:
    return squared_norm(Sparse(x.indices, x.values))  # type: ignore[no-any-return]


@implements(feature, Conditioned)
def _(x: Conditioned, n: int) -> int:
    return x.indices[n]  # type: ignore[no-any-return]


@implements(value, Conditioned)
def _(x: Conditioned, feature: int) -> float:
    for n in range(x.indices.shape[0]):
        if x.indices[n] == feature:
            return x.values[n]  # type: ignore[no-any-return]
    return 0.0


@verb
def first_entry(x: Row) -> Any:
    """Return the position of the first entry that is no bias."""


@verb
def is_number(x: Row, n: int) -> Any:
    """Return whether an entry is a number, not a category or a word."""


@verb
def has_numbers(x: Row) -> Any:
    """Return whether any entry is a number."""


@verb
def in_table(x: Row) -> Any:
    """Return whether the row is one of a table, not of text."""


@verb
def scale_of(x: Row) -> Any:
    """Return what the values of a row were multiplied with."""


@implements(first_entry, object)
def _(x: Row) -> int:
    return 0


@implements(is_number, object)
def _(x: Row, n: int) -> bool:
    return x.values[n] != 1.0  # type: ignore[no-any-return]


@implements(has_numbers, object)
def _(x: Row) -> bool:
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0 and x.values[n] != 1.0:
            return True
    return False


@implements(in_table, object)
def _(x: Row) -> bool:
    return True


@implements(scale_of, object)
def _(x: Row) -> float:
    return 1.0


@implements(first_entry, Conditioned)
def _(x: Conditioned) -> int:
    return 1


@implements(is_number, Conditioned)
def _(x: Conditioned, n: int) -> bool:
    return x.numeric[n] != 0  # type: ignore[no-any-return]


@implements(has_numbers, Conditioned)
def _(x: Conditioned) -> bool:
    return x.has_numbers


@implements(in_table, Conditioned)
def _(x: Conditioned) -> bool:
    return x.in_table


@implements(scale_of, Conditioned)
def _(x: Conditioned) -> float:
    return x.scale


@verb
def rate_for(x: Row, rate: float) -> Any:
    """Return the step size for a row: on a conditioned row with numbers at most 1."""


@implements(rate_for, object)
def _(x: Row, rate: float) -> float:
    return rate


@implements(rate_for, Conditioned)
def _(x: Conditioned, rate: float) -> float:
    return min(rate, 1.0) if x.has_numbers else rate
