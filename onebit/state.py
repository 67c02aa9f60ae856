"""What a learner remembers: arrays whose axes are declared beside their field.

    weights: Annotated[Floats, Axes("features", "labels")]

From the declaration come the first state, its size in bytes, and what a
snapshot must hold. Fields that are parameters (see `params`) are numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np

from onebit.params import field_notes

T = TypeVar("T")


class Axes:
    """The axes of an array by name ("features", "labels") or by length, and its first value."""

    def __init__(self, *axes: str | int, first: float = 0.0, dtype: str = "float64") -> None:
        self.axes, self.first, self.dtype = axes, first, np.dtype(dtype)

    def shape(self, sizes: Sizes) -> tuple[int, ...]:
        """Return the shape for these sizes."""
        return tuple(getattr(sizes, a) if isinstance(a, str) else a for a in self.axes)


class Sizes(NamedTuple):
    """How many features a row has, and how many labels there are."""

    features: int
    labels: int


def arrays(kind: type) -> dict[str, Axes]:
    """Return the fields of a NamedTuple that are declared as arrays."""
    return {
        name: notes[0]
        for name, notes in field_notes(kind).items()
        if notes and isinstance(notes[0], Axes)
    }


def begin(kind: type[T], sizes: Sizes, params: Mapping[str, Any]) -> T:
    """Return the first state: the arrays filled, the parameters set."""
    made = {
        name: np.full(axes.shape(sizes), axes.first, axes.dtype)
        for name, axes in arrays(kind).items()
    }
    return kind(**made, **params)


def size_in_bytes(kind: type, sizes: Sizes) -> int:
    """Return how many bytes the arrays of a state take."""
    return sum(
        int(np.prod(axes.shape(sizes), dtype=np.int64)) * axes.dtype.itemsize
        for axes in arrays(kind).values()
    )
