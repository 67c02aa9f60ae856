"""Reading real numbers of any type, and refusing what a cast would only turn into some."""

from __future__ import annotations

import decimal
import numbers
from typing import Any

import numpy as np

from onebit.errors import BadRow

#: Kinds of arrays that hold real numbers: truth values, whole numbers, floats.
_REAL = "biuf"
#: An array of a shape that is neither a row nor rows.
_NO_ROW = np.empty((0, 0, 0))


def as_numbers(x: Any) -> Any:
    """Return an array of real numbers for what is one; else raise BadRow.

    A cast would read complex, masked, date and text arrays as some other numbers.
    """
    if type(x) is np.ndarray and x.dtype.kind in _REAL:
        return x
    if _is_masked(x):
        raise BadRow("Agent: a row must be of real numbers, got a masked array.")
    if isinstance(x, range):  # a few bytes that stand for any number of them
        return _NO_ROW
    try:
        found = np.asarray(x)
        if found.dtype.kind == "O":  # such as fractions, or whole numbers beyond 64 bits
            each = [real_number(value) for value in found.flat]
            found = np.array(each, np.float64).reshape(found.shape)
    except (TypeError, ValueError, OverflowError):
        return _NO_ROW
    if found.dtype.kind not in _REAL:
        raise BadRow(f"Agent: a row must be of real numbers, got an array of {found.dtype}.")
    return found


def _is_masked(x: Any) -> bool:
    """Return whether x is a masked array, or a list with one in it."""
    kinds = {*map(type, x)} if isinstance(x, list | tuple) else {type(x)}
    return any(issubclass(kind, np.ma.MaskedArray) for kind in kinds)


def real_number(value: Any) -> float:
    """Return a real number; raise TypeError for what float() would read as one all the same."""
    if isinstance(value, float | int):
        return float(value)
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError
    if not isinstance(value, np.generic) and getattr(value, "ndim", None) == 0:
        value = value.item()  # a scalar of some library
    if isinstance(value, np.bool_):
        return float(value)
    if not isinstance(value, numbers.Real | decimal.Decimal) or isinstance(value, np.timedelta64):
        raise TypeError
    return float(value)
