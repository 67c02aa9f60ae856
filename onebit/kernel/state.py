"""What a learner remembers: arrays whose axes are declared beside their field.

    weights: Annotated[Floats, Axes("features", "labels")]

From the declaration come the first state, its size in bytes, and what a
snapshot must hold. Fields that are parameters (see `params`) are numbers. A field
may also hold another such state, as a booster holds its weak learners.

A class whose first state is more than that (a parameter "auto" to settle, an
array to fill) has a classmethod `begin(sizes, seed, params)` of its own, which
may call `first_state`. It hears all parameters of its recipe, so that a learner
can read its explorer's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from onebit.errors import BadInput
from onebit.naming.params import OneOf, declared_params, field_annotations

T = TypeVar("T")


class Axes:
    """The axes of an array: "features", "labels", a parameter's name, or a length.

    "labels*n" is one axis on which each label has n places side by side.

    `dtype` may be the name of a parameter that says it. An array that is not `kept` is
    room to compute in, or made by `begin` and never changed: it is not saved.
    """

    def __init__(
        self, *axes: str | int, first: float = 0.0, dtype: str = "float64", kept: bool = True
    ) -> None:
        self.axes, self.first, self.dtype, self.kept = axes, first, dtype, kept

    def shape(self, sizes: Sizes, params: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the shape for these sizes and parameters."""
        lengths = {"features": sizes.features, "labels": sizes.labels, **params}
        return tuple(
            a if isinstance(a, int) else math.prod(lengths[part] for part in a.split("*"))
            for a in self.axes
        )

    def array(self, sizes: Sizes, params: Mapping[str, Any]) -> np.ndarray[Any, Any]:
        """Return the first array for these sizes and parameters."""
        dtype = np.dtype(params.get(self.dtype, self.dtype))
        shape = self.shape(sizes, params)
        try:  # memory that is all zeros is not taken before it is written
            return np.full(shape, self.first, dtype) if self.first else np.zeros(shape, dtype)
        except (MemoryError, ValueError, OverflowError):
            raise BadInput(
                "onebit: a learner's numbers must fit into memory, got an array of"
                f" {' x '.join(f'{length:,}' for length in shape)}."
            ) from None


#: The `values` of a column of numbers.
NUMERIC = 0


class Column(NamedTuple):
    """A categorical column: its one-hot features, and how many values it has.

    There may be one value more than features: the one that sets none of them. A
    column of numbers is one feature, whose `values` are NUMBERS.
    """

    first: int
    width: int
    values: int

    @property
    def sound(self) -> bool:
        """Whether there can be such a column."""
        if self.values == NUMERIC:
            return self.width == 1
        return 1 <= self.width <= self.values <= self.width + 1


class Sizes(NamedTuple):
    """How many features a row has, how many labels there are, and which features form columns."""

    features: int
    labels: int
    columns: Sequence[Column] = ()


def all_columns(who: str, sizes: Sizes) -> list[Column]:
    """Return columns that cover every feature once; one in no column has two values: 0 or not."""
    found: list[Column] = []
    at = 0
    for column in sorted(Column(*column) for column in sizes.columns):
        if not (at <= column.first <= sizes.features - column.width and column.sound):
            raise BadInput(
                f"{who}: columns must not overlap or reach beyond {sizes.features} features, and"
                " have as many values as features, one more, or 0 for a number, got"
                f" {tuple(column)}."
            )
        found += [Column(j, 1, 2) for j in range(at, column.first)]
        found.append(column)
        at = column.first + column.width
    return found + [Column(j, 1, 2) for j in range(at, sizes.features)]


def arrays(kind: type) -> dict[str, Axes]:
    """Return the fields of a NamedTuple that are declared as arrays."""
    return {
        name: notes[0]
        for name, notes in field_annotations(kind).items()
        if notes and isinstance(notes[0], Axes)
    }


def arrays_within(kind: type) -> dict[str, Axes]:
    """Return the arrays of a NamedTuple that are kept, and those of the states inside it.

    A parameter whose rule has a method `kind` names what its field holds.
    """
    found = {name: axes for name, axes in arrays(kind).items() if axes.kept}
    for param in declared_params(kind):
        inner = getattr(param.rule, "kind", None)
        for name, axes in arrays_within(inner(param.default)).items() if inner else ():
            found[f"{param.name}.{name}"] = axes
    return found


def begin(kind: type[T], sizes: Sizes, seed: int, params: Mapping[str, Any]) -> T:
    """Return the first state of a learner or an explorer."""
    own = getattr(kind, "begin", None)
    return initial_state(kind, sizes, params) if own is None else own(sizes, seed, dict(params))


def initial_state(kind: type[T], sizes: Sizes, params: Mapping[str, Any]) -> T:
    """Return the arrays filled with their first value, and the parameters set.

    A kernel compares no words: a parameter that is one of a few is its place among them.
    """
    made = {name: axes.array(sizes, params) for name, axes in arrays(kind).items()}
    numbers = {
        p.name: p.rule.number(params[p.name]) if isinstance(p.rule, OneOf) else params[p.name]
        for p in declared_params(kind)
    }
    return kind(**made, **numbers)


def kept(state: Any) -> dict[str, np.ndarray[Any, Any]]:
    """Return the arrays that a snapshot must hold by name, also those of states inside a state."""
    left_out = {name for name, axes in arrays(type(state)).items() if not axes.kept}
    found: dict[str, np.ndarray[Any, Any]] = {}
    for name, value in zip(state._fields, state, strict=True):
        if isinstance(value, np.ndarray) and name not in left_out:
            found[name] = value
        elif hasattr(value, "_fields"):
            found |= {f"{name}.{inner}": array for inner, array in kept(value).items()}
    return found


def size_in_bytes(state: Any) -> int:
    """Return how many bytes the arrays of a state take, also those of states inside it."""
    if isinstance(state, np.ndarray):
        return state.nbytes
    return sum(map(size_in_bytes, state)) if isinstance(state, tuple) else 0
