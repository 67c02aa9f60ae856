"""Rows of features, dense or sparse, and what a learner may do with one.

Every loop goes over the features in ascending order and adds one product at a time, so that a row
gives the same bits in both forms. The labels of one feature lie side by side in (features, labels).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.kernel.fetching import fetch, fetch_all
from onebit.kernel.verbs import implements, kernel, verb

__all__ = [
    "Dense", "DenseRows", "Floats", "Ints", "Row", "Rows", "Sparse", "SparseRows", "Starts", "add",
    "as_sparse", "copy_values", "dot", "feature", "row", "squared_norm", "value",
]  # fmt: skip

#: Arrays of values.
Floats = npt.NDArray[np.float64]
#: Arrays of feature or label numbers.
Ints = npt.NDArray[np.int32]
#: Arrays of positions in other arrays, such as where each row starts.
Starts = npt.NDArray[np.int64]

#: How many numbers a processor fetches from memory at a time.
LINE = 8


class Dense(NamedTuple):
    """A row with the value of every feature.

    Attributes
    ----------
    values : array of float64
        One value for each feature.
    """

    values: Floats


class Sparse(NamedTuple):
    """A row with the features that are not zero.

    Attributes
    ----------
    indices : array of int32
        Their numbers, in ascending order.
    values : array of float64
        Their values.
    """

    indices: Ints
    values: Floats


class DenseRows(NamedTuple):
    """Rows as a matrix.

    Attributes
    ----------
    values : array of shape (rows, features)
        The values.
    """

    values: Floats


class SparseRows(NamedTuple):
    """Rows as in a CSR matrix: row i has the entries from starts[i] to before starts[i + 1].

    Attributes
    ----------
    starts : array of int64
        Where each row starts, and the number of entries at the end.
    indices : array of int32
        The features of the entries, in ascending order within a row.
    values : array of float64
        The values of the entries.
    """

    starts: Starts
    indices: Ints
    values: Floats


class ZeroSkippingRows(NamedTuple):
    """Dense rows that loops see in sparse form, one at a time: each replaces the one before.

    Attributes
    ----------
    values : array of shape (rows, features)
        The values.
    indices : array of int32
        Space for the features of one row, and `nonzeros` for their values.
    """

    values: Floats
    indices: Ints
    nonzeros: Floats


#: A row in either form.
Row = Dense | Sparse
#: Rows in either form.
Rows = DenseRows | SparseRows


def row_fits(x: Row, features: int) -> bool:
    """Return whether kernels for this width can take a row."""
    if isinstance(x, Dense):
        return len(x.values) == features
    ends = [-1, *x.indices[:1], *x.indices[-1:], features]
    ascending = bool((np.diff(x.indices) > 0).all() and ends[0] < ends[1] and ends[-2] < ends[-1])
    return len(x.indices) == len(x.values) and ascending


def as_sparse(rows: Rows) -> SparseRows:
    """Return the same rows in sparse form.

    Parameters
    ----------
    rows : DenseRows or SparseRows
        The rows.

    Returns
    -------
    SparseRows
        The rows without their zeros; the argument itself if it is sparse.

    Examples
    --------
    >>> as_sparse(DenseRows(np.array([[0.0, 2.0], [3.0, 0.0]]))).indices.tolist()
    [1, 0]
    """
    if isinstance(rows, SparseRows):
        return rows
    at, columns = np.nonzero(rows.values)
    starts = np.searchsorted(at, np.arange(len(rows.values) + 1)).astype(np.int64)
    return SparseRows(starts, columns.astype(np.int32), rows.values[at, columns])


@kernel
def set_zero(out: Floats) -> None:
    """Set a few numbers, none of them negative, to zero.

    Without the branch LLVM makes the loop a call of memset, which is slower for a few labels.
    """
    for k in range(out.shape[0]):
        if out[k] != 0.0:
            out[k] = 0.0


@verb
def row(rows: Rows, i: int) -> Any:
    """Return row i as a view.

    Parameters
    ----------
    rows : DenseRows or SparseRows
        The rows.
    i : int
        The number of the row.

    Returns
    -------
    Dense or Sparse
        A view of the row.

    Examples
    --------
    >>> row(DenseRows(np.array([[1.0, 2.0]])), 0)
    Dense(values=array([1., 2.]))
    """


@verb
def dot(x: Row, weights: Floats, out: Floats) -> None:
    """Set out[k] to the inner product of x and column k of the weights.

    Parameters
    ----------
    x : Dense or Sparse
        The row.
    weights : array of shape (features, labels)
        The weights.
    out : array of shape (labels,)
        Set to the products.
    """


@verb
def add(x: Row, step: float, weights: Floats, label: int) -> None:
    """Add step times x to the weights of one label.

    Parameters
    ----------
    x : Dense or Sparse
        The row.
    step : float
        The factor.
    weights : array of shape (features, labels)
        Changed in place.
    label : int
        The column of the weights.
    """


@verb
def squared_norm(x: Row) -> Any:
    """Return the squared Euclidean norm of a row.

    Parameters
    ----------
    x : Dense or Sparse
        The row.

    Returns
    -------
    float
        The sum of the squares of its values.

    Examples
    --------
    >>> float(squared_norm(Dense(np.array([3.0, 4.0]))))
    25.0
    """


@verb
def feature(x: Row, n: int) -> Any:
    """Return the number of the feature that x.values[n] is the value of, in either form.

    Parameters
    ----------
    x : Dense or Sparse
        The row.
    n : int
        A position in `x.values`.

    Returns
    -------
    int
        The number of the feature.
    """


@verb
def value(x: Row, feature: int) -> Any:
    """Return the value of one feature.

    Parameters
    ----------
    x : Dense or Sparse
        The row.
    feature : int
        The number of the feature.

    Returns
    -------
    float
        Its value, 0 if a sparse row does not have it.
    """


@kernel
def copy_values(values: Floats, out: Floats) -> None:
    """Copy an array into another; `out[:] = values` would create a third.

    Parameters
    ----------
    values : array
        What is copied.
    out : array of the same length
        Set to the values.
    """
    for k in range(out.shape[0]):
        out[k] = values[k]


@implements(row, DenseRows)
def _(rows: DenseRows, i: int) -> Dense:
    return Dense(rows.values[i])


@implements(dot, Dense)
def _(x: Dense, weights: Floats, out: Floats) -> None:
    out[:] = 0.0
    for j in range(x.values.shape[0]):
        value = x.values[j]
        if value != 0.0:
            for k in range(out.shape[0]):
                out[k] += value * weights[j, k]


@implements(add, Dense)
def _(x: Dense, step: float, weights: Floats, label: int) -> None:
    for j in range(x.values.shape[0]):
        weights[j, label] += step * x.values[j]


@implements(squared_norm, Dense)
def _(x: Dense) -> float:
    total = 0.0
    for j in range(x.values.shape[0]):
        total += x.values[j] * x.values[j]
    return total


@implements(feature, Dense)
def _(x: Dense, n: int) -> int:
    return n


@implements(value, Dense)
def _(x: Dense, feature: int) -> float:
    return x.values[feature]  # type: ignore[no-any-return]


@implements(row, SparseRows)
def _(rows: SparseRows, i: int) -> Sparse:
    start, stop = rows.starts[i], rows.starts[i + 1]
    return Sparse(rows.indices[start:stop], rows.values[start:stop])


@implements(row, ZeroSkippingRows)
def _(rows: ZeroSkippingRows, i: int) -> Sparse:
    values, indices, nonzeros, n = rows.values[i], rows.indices, rows.nonzeros, np.uint64(0)
    for j in range(values.shape[0], 2 * values.shape[0], LINE):
        fetch(values, j)  # the next row
    for j in range(values.shape[0]):  # without a branch: processors could not predict it
        indices[n] = j
        n += np.uint64(values[j] != 0.0)
    for k in range(n):
        nonzeros[k] = values[np.uint64(indices[k])]
    return Sparse(indices[:n], nonzeros[:n])


@implements(dot, Sparse)
def _(x: Sparse, weights: Floats, out: Floats) -> None:
    out[:] = 0.0
    fetch_all(weights, x.indices)
    fours = x.indices.shape[0] // 4 * 4  # so many features four at a time, in their order
    for n in range(0, fours, 4):
        a, b, c, d = x.indices[n], x.indices[n + 1], x.indices[n + 2], x.indices[n + 3]
        p, q, r, s = x.values[n], x.values[n + 1], x.values[n + 2], x.values[n + 3]
        for k in range(out.shape[0]):
            total = out[k] + p * weights[a, k] + q * weights[b, k]
            out[k] = total + r * weights[c, k] + s * weights[d, k]
    for n in range(fours, x.indices.shape[0]):
        j, value = x.indices[n], x.values[n]
        for k in range(out.shape[0]):
            out[k] += value * weights[j, k]


@implements(add, Sparse)
def _(x: Sparse, step: float, weights: Floats, label: int) -> None:
    for n in range(x.indices.shape[0]):
        weights[x.indices[n], label] += step * x.values[n]


@implements(squared_norm, Sparse)
def _(x: Sparse) -> float:
    total = 0.0
    for n in range(x.indices.shape[0]):
        total += x.values[n] * x.values[n]
    return total


@implements(feature, Sparse)
def _(x: Sparse, n: int) -> int:
    return x.indices[n]  # type: ignore[no-any-return]


@implements(value, Sparse)
def _(x: Sparse, feature: int) -> float:
    low, high = 0, x.indices.shape[0]
    while low < high:
        middle = (low + high) // 2
        if x.indices[middle] < feature:
            low = middle + 1
        else:
            high = middle
    if low < x.indices.shape[0] and x.indices[low] == feature:
        return x.values[low]  # type: ignore[no-any-return]
    return 0.0
