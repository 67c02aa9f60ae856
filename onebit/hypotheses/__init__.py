"""Classes of hypotheses: what each of N simple rules would play for a row.

What they say is the *advice*: N label numbers, the row of learners such as
`exp4`. One file is one class: it has a method `over(sizes)` that returns the
hypotheses for rows of that width, a NamedTuple of arrays with a field `size`
and a body for the verb `advise`. A class with declared parameters can be named
on the command line; others are made in Python.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from onebit.errors import BadInput
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
    row,
)
from onebit.kernel.verbs import entry, implements, verb
from onebit.naming.catalog import Catalog

T = TypeVar("T")

#: More hypotheses, or more numbers to hold them, are refused.
MAX_HYPOTHESES, MAX_NUMBERS = 1_000_000, 20_000_000

_catalog = Catalog(
    "onebit.hypotheses", "class of hypotheses", see="hypotheses", mark="hypothesis_class"
)
names, find, name_of = _catalog.names, _catalog.find, _catalog.name
importable = _catalog.importable


def hypothesis_class(*, by_name: bool = True) -> Callable[[type[T]], type[T]]:
    """Declare a class of hypotheses; `by_name` says whether parameters alone can make one."""

    def declare(kind: type[T]) -> type[T]:
        _catalog.declare(kind, by_name)
        return kind

    return declare


def names_for_specs() -> list[str]:
    """Return the classes that a spec can name."""
    return [name for name, kind in importable(lambda broken: None) if _catalog.traits(kind)]


def too_many_error(kind: Any, size: int) -> BadInput:
    """Return the error for a class that is out of reach."""
    who = type(kind).__name__
    return BadInput(
        f"{who}: a class must have at most {MAX_HYPOTHESES:,} hypotheses, got {format_count(size)}."
    )


def format_count(size: int) -> str:
    """Return a number, however large, as it should stand in a sentence."""
    return f"{size:,}" if size < 10**15 else f"about 1e{math.floor(math.log10(size))}"


@verb
def advise(hypotheses: Any, x: Row, out: Floats) -> None:
    """Set out[i] to the number of the label that hypothesis i says about x."""


@entry
def advise_all(hypotheses: Any, rows: Rows, out: Floats) -> None:
    """Set out[n] to the advice about row n."""
    for n in range(out.shape[0]):
        advise(hypotheses, row(rows, n), out[n])


@entry
def is_advice(advice: Floats, labels: int) -> bool:
    """Say whether every number is that of a label."""
    limit, valid = labels - 0.5, True
    for n in range(advice.shape[0]):
        for i in range(advice.shape[1]):
            value = advice[n, i]  # no branches here: several are looked at in one step
            valid &= (np.floor(value) == value) & (value >= 0.0) & (value < limit)
    return bool(valid)


@entry
def count_right(advice: Floats, truths: Truths, right: Starts) -> None:
    """Add to right[i] the rounds in which hypothesis i says a right label."""
    for n in range(advice.shape[0]):
        for i in range(advice.shape[1]):
            if is_right(truths, n, int(advice[n, i])):
                right[i] += 1


@verb
def copy_dense(x: Row, out: Floats) -> None:
    """Write a row with all of its zeros into out."""


@implements(copy_dense, Dense)
def _(x: Dense, out: Floats) -> None:
    out[:] = x.values


@implements(copy_dense, Sparse)
def _(x: Sparse, out: Floats) -> None:
    out[:] = 0.0
    for n in range(x.indices.shape[0]):
        out[x.indices[n]] = x.values[n]


def as_rows(x: Row) -> Rows:
    """Return one row as rows."""
    if isinstance(x, Dense):
        return DenseRows(x.values.reshape(1, -1))
    return SparseRows(np.array([0, len(x.indices)], np.int64), x.indices, x.values)
