"""Copies what a state has learned into a larger one, for more labels or features."""

from __future__ import annotations

from typing import TypeVar

from onebit.kernel.sizes import Sizes
from onebit.kernel.state import REMEMBERED, Array, Axes, derive, lanes, nested, walk

T = TypeVar("T")


def grow(state: T, larger: T, old: Sizes, new: Sizes) -> T:
    """Copy a state into one for more labels or features, which keep the values of the latter."""
    for before, after in zip(walk(state), walk(larger), strict=True):
        if before.axes.role == REMEMBERED:
            view = _old_part(after.array, after.axes, old, new)
            view[...] = before.array.reshape(view.shape)
    for before, after in zip(nested(state), nested(larger), strict=True):
        if hasattr(after, "grown") and old.labels < new.labels:
            after.grown(before)
    derive(larger)
    return larger


def _old_part(array: Array, axes: Axes, old: Sizes, new: Sizes) -> Array:
    """Return a view of the part of an array that belongs to the first labels and features."""
    shape: list[int] = []
    index: list[slice] = []
    for length, axis in zip(array.shape, axes.axes, strict=True):
        if isinstance(axis, str) and axis.split("*")[0] == "labels":
            shape += [new.labels, length // new.labels]
            index += [slice(old.labels), slice(None)]
        elif axis == "lanes":
            shape.append(length)
            index.append(slice(lanes(old.labels)))
        else:
            shape.append(length)
            more = new.features - old.features if axis == "features" else 0
            index.append(slice(length - more))
    return array.reshape(shape)[tuple(index)]
