"""Copies what a state has learned into a larger one, for more labels or features."""

from __future__ import annotations

import itertools
from typing import TypeVar

from onebit.kernel.sizes import Sizes
from onebit.kernel.state import REMEMBERED, Array, Axes, derive, nested, walk

T = TypeVar("T")
#: Slices of an axis: of the old array, and of the larger one.
Parts = list[tuple[slice, slice]]


def grow(state: T, larger: T, old: Sizes, new: Sizes) -> T:
    """Copy a state into one for more labels or features, which keep the values of the latter."""
    for before, after in zip(walk(state), walk(larger), strict=True):
        if before.axes.role == REMEMBERED:
            _copy(before.array, after.array, before.axes, old, new)
    for before, after in zip(nested(state), nested(larger), strict=True):
        if hasattr(after, "grown") and old.labels < new.labels:
            after.grown(before)
    derive(larger)
    return larger


def _copy(array: Array, larger: Array, axes: Axes, old: Sizes, new: Sizes) -> None:
    """Copy an array into the part of a larger one that belongs to its labels and features.

    What comes after the features of a row, such as the constant of a scaled one, stays last.
    """
    shape: list[int] = []
    larger_shape: list[int] = []
    parts: list[Parts] = []
    for axis, was, now in zip(axes.axes, array.shape, larger.shape, strict=True):
        if isinstance(axis, str) and axis.split("*")[0] == "labels":
            shape += [old.labels, was // old.labels]
            larger_shape += [new.labels, now // new.labels]
            parts += [[_same(old.labels)], [_same(was // old.labels)]]
        else:
            shape.append(was)
            larger_shape.append(now)
            if axis == "features" and new.features > old.features:
                last = slice(old.features, was), slice(new.features, now)
                parts.append([_same(old.features), last])
            else:
                parts.append([_same(was)])
    source, target = array.reshape(shape), larger.reshape(larger_shape)
    for pairs in itertools.product(*parts):
        target[tuple(to for _, to in pairs)] = source[tuple(at for at, _ in pairs)]


def _same(length: int) -> tuple[slice, slice]:
    return slice(length), slice(length)
