"""What a learner remembers: arrays whose axes are declared beside their field.

    weights: Annotated[Floats, Axes("features", "labels")]

From the declaration come the first state, its size in bytes, and what a
snapshot must hold. Fields that are parameters (see `params`) are numbers.

A class whose first state is more than that (a parameter "auto" to settle, an
array to fill) has a classmethod `begin(sizes, seed, params)` of its own, which
may call `first_state`. It hears all parameters of its recipe, so that a learner
can read its explorer's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from onebit.params import OneOf, declared, field_notes

T = TypeVar("T")


class Axes:
    """The axes of an array: "features", "labels", a parameter's name, or a length."""

    def __init__(self, *axes: str | int, first: float = 0.0, dtype: str = "float64") -> None:
        self.axes, self.first, self.dtype = axes, first, np.dtype(dtype)

    def shape(self, sizes: Sizes, params: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the shape for these sizes and parameters."""
        lengths = {"features": sizes.features, "labels": sizes.labels, **params}
        return tuple(lengths[a] if isinstance(a, str) else a for a in self.axes)


class Column(NamedTuple):
    """A categorical column: its one-hot features, and how many values it has.

    There may be one value more than features: the one that sets none of them.
    """

    first: int
    width: int
    values: int


class Sizes(NamedTuple):
    """How many features a row has, how many labels there are, and which features form columns."""

    features: int
    labels: int
    columns: Sequence[Column] = ()


def arrays(kind: type) -> dict[str, Axes]:
    """Return the fields of a NamedTuple that are declared as arrays."""
    return {
        name: notes[0]
        for name, notes in field_notes(kind).items()
        if notes and isinstance(notes[0], Axes)
    }


def begin(kind: type[T], sizes: Sizes, seed: int, params: Mapping[str, Any]) -> T:
    """Return the first state of a learner or an explorer."""
    own = getattr(kind, "begin", None)
    return first_state(kind, sizes, params) if own is None else own(sizes, seed, dict(params))


def first_state(kind: type[T], sizes: Sizes, params: Mapping[str, Any]) -> T:
    """Return the arrays filled with their first value, and the parameters set.

    A kernel compares no words: a parameter that is one of a few is its place among them.
    """
    made = {
        name: np.full(axes.shape(sizes, params), axes.first, axes.dtype)
        for name, axes in arrays(kind).items()
    }
    numbers = {
        p.name: p.rule.number(params[p.name]) if isinstance(p.rule, OneOf) else params[p.name]
        for p in declared(kind)
    }
    return kind(**made, **numbers)


def size_in_bytes(state: Any) -> int:
    """Return how many bytes the arrays of a state take, also those of states inside it."""
    if isinstance(state, np.ndarray):
        return state.nbytes
    return sum(map(size_in_bytes, state)) if isinstance(state, tuple) else 0
