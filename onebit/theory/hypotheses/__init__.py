"""Classes of hypotheses: finite sets of simple rules that predict a label for a row.

Their predictions are the *advice*: N label numbers, which learners such as `exp4` read as
their row. One file is one class, decorated with `hypothesis_class`. Its method
`for_sizes(sizes)` returns the hypotheses for rows of that width: a NamedTuple of arrays with
a field `size`, and a kernel for `advise`. A class with declared parameters can be named on
the command line; others are made in Python.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from onebit.errors import BadInput, BadParameter
from onebit.kernel.block import Truths, is_right
from onebit.kernel.rows import (
    Dense,
    DenseRows,
    Floats,
    Row,
    Rows,
    Sparse,
    SparseRows,
    Starts,
    copy_values,
    row,
)
from onebit.kernel.verbs import entry, implements, verb
from onebit.naming.catalog import Catalog

__all__ = [
    "advise",
    "advise_all",
    "find",
    "hypothesis_class",
    "importable",
    "is_advice",
    "name_of",
    "names",
    "names_for_specs",
]

T = TypeVar("T")

#: The largest class, and the most numbers that its arrays may hold.
MAX_HYPOTHESES, MAX_NUMBERS = 1_000_000, 20_000_000

_catalog = Catalog(
    "onebit.theory.hypotheses",
    "class of hypotheses",
    group="onebit.hypotheses",
    see="hypotheses",
    mark="hypothesis_class",
)
names, find, name_of = _catalog.names, _catalog.find, _catalog.name
importable = _catalog.importable


def hypothesis_class(*, by_name: bool = True) -> Callable[[type[T]], type[T]]:
    """Declare a class of hypotheses; a class decorator.

    Parameters
    ----------
    by_name : bool, default True
        Whether its declared parameters suffice to make one, so that a spec can name it.

    Returns
    -------
    callable
        A decorator that returns the class unchanged.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> @hypothesis_class(by_name=False)
    ... class Constants(NamedTuple):
    ...     labels: list
    """

    def declare(kind: type[T]) -> type[T]:
        _catalog.declare(kind, by_name)
        return kind

    return declare


def names_for_specs() -> list[str]:
    """Return the names of the classes that a spec can name.

    Returns
    -------
    list of str
        The names of those declared with `by_name`.

    Examples
    --------
    >>> "stumps" in names_for_specs(), "callables" in names_for_specs()
    (True, False)
    """
    return [name for name, kind in importable(lambda broken: None) if _catalog.traits(kind)]


def too_many_error(kind: Any, size: int | str) -> BadInput:
    """Return the error for a class that is too large; a size too large to compute is a text."""
    who, count = type(kind).__name__, size if isinstance(size, str) else format_count(size)
    return BadParameter(
        f"{who}: a class must have at most {MAX_HYPOTHESES:,} hypotheses, got {count}."
    )


def format_count(size: int) -> str:
    """Return a number as text, in powers of ten if it is large."""
    return f"{size:,}" if size < 10**15 else f"about 1e{math.floor(math.log10(size))}"


@verb
def advise(hypotheses: Any, x: Row, out: Floats) -> None:
    """Predict a label for a row with every hypothesis.

    Parameters
    ----------
    hypotheses : NamedTuple
        What `for_sizes` returned.
    x : Row
        The row.
    out : array of shape (size,)
        Set to the label numbers, -1 if a hypothesis has no prediction for the row.
    """


@entry
def advise_all(hypotheses: Any, rows: Rows, out: Floats) -> None:
    """Predict a label for each of some rows with every hypothesis.

    Parameters
    ----------
    hypotheses : NamedTuple
        What `for_sizes` returned.
    rows : Rows
        The rows.
    out : array of shape (rows, size)
        Set to the label numbers.
    """
    for n in range(out.shape[0]):
        advise(hypotheses, row(rows, n), out[n])


@entry
def is_advice(advice: Floats, labels: int) -> bool:
    """Return whether every number is a label number.

    Parameters
    ----------
    advice : array of shape (rows, size)
        The advice.
    labels : int
        The number of labels.

    Returns
    -------
    bool
        True if all are whole numbers from 0 to labels - 1.

    Examples
    --------
    >>> is_advice(np.array([[0.0, 1.0]]), 2), is_advice(np.array([[0.0, 2.0]]), 2)
    (True, False)
    """
    limit, valid = labels - 0.5, True
    for n in range(advice.shape[0]):
        for i in range(advice.shape[1]):
            value = advice[n, i]  # no branches, so that the loop is vectorised
            valid &= (np.floor(value) == value) & (value >= 0.0) & (value < limit)
    return bool(valid)


@entry
def count_right(advice: Floats, truths: Truths, right: Starts) -> None:
    """Add to right[i] the number of rounds in which hypothesis i is right."""
    for n in range(advice.shape[0]):
        for i in range(advice.shape[1]):
            if is_right(truths, n, int(advice[n, i])):
                right[i] += 1


@verb
def copy_dense(x: Row, out: Floats) -> None:
    """Copy a row into a dense array."""


@implements(copy_dense, Dense)
def _(x: Dense, out: Floats) -> None:
    copy_values(x.values, out)


@implements(copy_dense, Sparse)
def _(x: Sparse, out: Floats) -> None:
    out[:] = 0.0
    for n in range(x.indices.shape[0]):
        out[x.indices[n]] = x.values[n]


def as_rows(x: Row) -> Rows:
    """Return rows that consist of one row."""
    if isinstance(x, Dense):
        return DenseRows(x.values.reshape(1, -1))
    return SparseRows(np.array([0, len(x.indices)], np.int64), x.indices, x.values)
