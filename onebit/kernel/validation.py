"""Checks of rows and blocks of users: kernels do not check indices or lengths."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from onebit.errors import BadBlock, BadRow
from onebit.kernel.block import LOST, Block, Multi, Single
from onebit.kernel.engine import RECORD, Delayed
from onebit.kernel.features import LARGEST, check_csr, is_sparse, read_row, width_of
from onebit.kernel.real_numbers import as_numbers
from onebit.kernel.rearranging import concatenate_starts
from onebit.kernel.round import LEAST_PROB
from onebit.kernel.rows import (
    Dense,
    DenseRows,
    Floats,
    Ints,
    Rows,
    SparseRows,
    Starts,
    as_sparse,
)
from onebit.kernel.verbs import entry, kernel
from onebit.naming.params import short_repr

#: Rows of a sequence that is neither a list nor an array.
MOST_LISTED = 1_000_000


@entry
def sparse_rows_are_sound(
    starts: Starts, indices: Ints, values: Floats, features: int, largest: float
) -> bool:
    """Return whether indices ascend within the width and no row has a norm above `largest`.

    Each loop over the entries has one condition and no exit, so that it is vectorized.
    """
    rows, end = starts.shape[0] - 1, indices.shape[0]
    if rows < 0 or starts[0] != 0 or starts[rows] != end:
        return False
    longest = 0
    for i in range(rows):
        if starts[i] > starts[i + 1]:
            return False
        longest = max(longest, starts[i + 1] - starts[i])
    outside, descents, large = 0, 0, 0
    limit = largest / math.sqrt(max(longest, 1))  # entries of at most this give no larger norm
    for n in range(1, end):
        descents += indices[n] <= indices[n - 1]
    for n in range(end):
        large += not abs(values[n]) <= limit  # also if it is nan
    for i in range(rows):
        n, last = starts[i], starts[i + 1] - 1
        if n <= last:  # where indices ascend, the first and the last of a row are its bounds
            outside += indices[n] < 0 or indices[last] >= features
            descents -= n > 0 and indices[n] <= indices[n - 1]  # that between two rows
    return outside + descents == 0 and (large == 0 or norms_are_at_most(starts, values, largest))


@kernel
def norms_are_at_most(starts: Starts, values: Floats, largest: float) -> bool:
    """Return whether no row has a norm above `largest`, or a value that is nan."""
    for i in range(starts.shape[0] - 1):
        total = 0.0
        for n in range(starts[i], starts[i + 1]):
            total += values[n] * values[n]
        if not total <= largest * largest:
            return False
    return True


def rows_are_sound(rows: Any, features: int) -> bool:
    """Return whether kernels for this width can take these rows."""
    if isinstance(rows, DenseRows):
        values = rows.values
        if not _is_array(values, np.float64, 2) or values.shape[1] != features:
            return False
        with np.errstate(over="ignore", invalid="ignore"):
            return bool((np.einsum("ij,ij->i", values, values) <= LARGEST**2).all())
    if not isinstance(rows, SparseRows):
        return False
    kinds = ((rows.starts, np.int64), (rows.indices, np.int32), (rows.values, np.float64))
    if not all(_is_array(array, dtype, 1) for array, dtype in kinds):
        return False
    if len(rows.indices) != len(rows.values):
        return False
    return sparse_rows_are_sound(*rows, features, LARGEST)  # type: ignore[no-any-return]


def check_block(who: str, block: Any, features: int, labels: int, least_label: int = 0) -> Block:
    """Return a block in contiguous arrays, if it fits an agent of this width and these labels.

    `least_label` is -1 where a true label may be unknown.

    Raises
    ------
    BadBlock
        If the block does not fit.
    """
    if not isinstance(block, Block):
        raise BadBlock(f"{who}: it plays a Block of a stream, got {short_repr(block)}.")
    checked = Block(*map(_contiguous, block))
    count = row_count(checked.rows)
    if count is None or not rows_are_sound(checked.rows, features):
        raise BadBlock(
            f"{who}: a block must have rows of {features} features, indices in ascending order, and"
            f" finite values of norm at most {LARGEST:g}."
        )
    if not _truths_are_sound(checked.truths, count, least_label, labels):
        raise BadBlock(
            f"{who}: a block must have label numbers from 0 to {labels - 1} for each of its"
            f" {count} rows, those of a row all different, and degrees of relevance above 0."
        )
    signals = checked.signals
    if not (_is_array(signals, np.int32, 1) and len(signals) == count) or (
        count and not (signals.min() >= LOST and signals.max() < labels)
    ):
        raise BadBlock(f"{who}: a block must have a signal from {LOST} to {labels - 1} a row.")
    return checked


def check_delayed(who: str, delayed: Any, rounds: int, labels: int) -> None:
    """Raise BadBlock if a plan of delayed feedback reaches outside of its block."""
    sound = isinstance(delayed, Delayed) and isinstance(delayed.old, int)
    sound = sound and 0 <= delayed.old <= rounds and _is_array(delayed.records, RECORD, 1)
    sound = (
        sound and _is_array(delayed.heard, np.int64, 1) and _is_array(delayed.after, np.int64, 1)
    )
    sound = sound and delayed.records.flags.writeable
    if sound and len(delayed.records) == rounds and len(delayed.heard) == len(delayed.after):
        heard, after, old = delayed.heard, delayed.after, delayed.records[: delayed.old]
        in_block = not len(heard) or (
            heard.min() >= 0
            and (heard <= after).all()
            and delayed.old <= after.min()
            and after.max() < rounds
        )
        names = [old["greedy"], old["label"]]
        played = all(((each >= 0) & (each < labels)).all() for each in names)
        played = played and bool(((old["prob"] > 0) & (old["prob"] <= 1)).all())
        if in_block and played and (np.diff(after) >= 0).all() and _all_different(heard):
            return
    raise BadBlock(
        f"{who}: delayed feedback must be of rounds of the block, each once, none before it was"
        " played, and come after new rounds, in their order."
    )


def check_log(who: str, rounds: int, labels: int, log: Sequence[Any]) -> None:
    """Raise BadBlock unless there is a label, a prob and a bit for each of the rounds."""
    played, probs, correct = log
    kinds = ((played, np.int32), (probs, np.float64), (correct, np.bool_))
    sound = all(_is_array(array, dtype, 1) and len(array) == rounds for array, dtype in kinds)
    if sound and rounds:
        sound = played.min() >= 0 and played.max() < labels
        sound = sound and bool(((probs >= LEAST_PROB) & (probs <= 1.0)).all())
    if not sound:
        raise BadBlock(
            f"{who}: a log must have for each of {rounds} rows a label number from 0 to"
            f" {labels - 1} (int32), a prob in [{LEAST_PROB:g}, 1] and a bit."
        )


def listed_rows(x: Any) -> Any:
    """Return a user's rows as an array, a CSR matrix or a list; of any length only if x is one.

    Raises
    ------
    BadRow
        If x is neither one of these nor another sequence of at most MOST_LISTED rows.
    """
    if type(x) is list or is_sparse(x):
        return x
    if isinstance(x, np.ndarray) and x.ndim:
        of_objects = type(x) is np.ndarray and x.dtype.kind == "O" and x.ndim == 1
        return list(x) if of_objects else x
    if isinstance(x, Mapping | str) or not isinstance(x, Sequence):
        raise BadRow(
            f"Agent: rows must be a 2-D array, a CSR matrix or a list of rows, got {short_repr(x)}."
        )
    rows = list(itertools.islice(x, MOST_LISTED + 1))
    if len(rows) > MOST_LISTED:
        raise BadRow(
            f"Agent: at most {MOST_LISTED:,} rows are taken that are not in a list or an array, got"
            " more."
        )
    return rows


def width_of_rows(x: Any) -> int:
    """Return the width of all rows, given the first ones as `listed_rows` returned them."""
    csr = is_sparse(x)
    width = width_of(x) if csr else 0
    if not (x.shape[0] if csr else len(x)):
        raise BadRow("Agent: the width of rows is not known yet, give at least one row.")
    return width or width_of(x[0])


def read_rows(x: Any, width: int) -> Rows:
    """Return rows, as `listed_rows` returned them, in arrays of their own.

    Raises
    ------
    BadRow
        If a row is not one that `read_row` takes.
    """
    if is_sparse(x):
        return _from_csr(x, width)
    if isinstance(x, np.ndarray) or _is_list_of_numbers(x):
        return _from_array(x, width)
    return stack_rows([read_row(each, width) for each in x])


def _from_array(x: Any, width: int) -> DenseRows:
    try:
        values = np.array(as_numbers(x), np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, BadRow):
            raise
        values = np.empty(0)
    if values.ndim != 2 or (values.shape[1] != width and len(values)):
        raise BadRow(f"Agent: rows must be an array of shape (n, {width}), got {short_repr(x)}.")
    rows = DenseRows(values.reshape(-1, width))
    if not rows_are_sound(rows, width):
        for each in values:
            read_row(each, width)  # the first row that is wrong says why
    return rows


def _from_csr(x: Any, width: int) -> Rows:
    check_csr(x)
    if len(x.shape) != 2 or x.shape[1] != width:
        raise BadRow(f"Agent: rows must be a CSR matrix of {width} columns, got {x.shape}.")
    try:
        rows = SparseRows(
            np.array(x.indptr, np.int64),
            _as_int32(x.indices),
            np.array(as_numbers(x.data), np.float64),
        )
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, BadRow):
            raise
        raise BadRow(f"Agent: a CSR matrix must hold numbers, got {short_repr(x)}.") from None
    if len(rows.starts) == x.shape[0] + 1 and rows_are_sound(rows, width):
        return rows
    return stack_rows([read_row(each, width) for each in _csr_rows(x)])  # sorts and adds up


class _CsrRow(NamedTuple):
    """A row of a CSR matrix, with the fields of one."""

    shape: tuple[int, int]
    indptr: Starts
    indices: Any
    data: Any


def _csr_rows(x: Any) -> Iterator[_CsrRow]:
    """Yield the rows of a checked CSR matrix; those of one form of scipy's are not CSR."""
    starts, indices, data = np.asarray(x.indptr).tolist(), np.asarray(x.indices), as_numbers(x.data)
    for start, stop in itertools.pairwise(starts):
        indptr = np.array([0, stop - start])
        yield _CsrRow((1, x.shape[-1]), indptr, indices[start:stop], data[start:stop])


def each_row(x: Any, of_its_type: bool) -> list[Any]:
    """Return rows, as `listed_rows` returned them, one by one; of a CSR matrix of its own type."""
    if not is_sparse(x):
        return list(x)
    check_csr(x)
    if of_its_type and hasattr(x, "__getitem__"):
        return [x[i] for i in range(x.shape[0])]
    return list(_csr_rows(x))


def _as_int32(indices: Any) -> Ints:
    """Return indices as int32; one that does not fit is -1, which no row may have."""
    if getattr(indices, "dtype", None) == np.int32:
        return np.array(indices)
    wide = np.asarray(indices, np.int64)
    if wide.size and (wide.min() < 0 or wide.max() >= 2**31):
        wide = np.where((wide >= 0) & (wide < 2**31), wide, -1)
    return wide.astype(np.int32)


def stack_rows(rows: Sequence[Any]) -> Rows:
    """Return rows one after another, in dense form if all of them are."""
    if rows and all(isinstance(each, Dense) for each in rows):
        return DenseRows(np.stack([each.values for each in rows]))  # all of one width by now
    sparse = [
        as_sparse(DenseRows(each.values.reshape(1, -1))) if isinstance(each, Dense)
        else SparseRows(np.array([0, len(each.indices)], np.int64), *each)
        for each in rows
    ]  # fmt: skip
    if not sparse:
        return SparseRows(np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0))
    return SparseRows(
        concatenate_starts([each.starts for each in sparse]),
        np.concatenate([each.indices for each in sparse]),
        np.concatenate([each.values for each in sparse]),
    )


def _is_list_of_numbers(x: Any) -> bool:
    return isinstance(x, list | tuple) and bool(x) and isinstance(x[0], list | tuple | np.ndarray)


def _is_array(array: Any, dtype: Any, dimensions: int) -> bool:
    """Return whether a kernel that was compiled for this type can take an array as it is."""
    return (
        isinstance(array, np.ndarray)
        and not isinstance(array, np.ma.MaskedArray)
        and array.dtype == dtype
        and array.ndim == dimensions
        and array.flags.c_contiguous
    )


def _contiguous(value: Any) -> Any:
    """Return a block, or a part of it, with its arrays in C order."""
    if isinstance(value, np.ma.MaskedArray):
        return value  # which is refused: as a plain array it would lose its mask
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value)
    return type(value)(*map(_contiguous, value)) if hasattr(value, "_fields") else value


def row_count(rows: Any) -> int | None:
    """Return how many rows there are, None if they are no rows."""
    if isinstance(rows, DenseRows) and isinstance(rows.values, np.ndarray):
        return len(rows.values) if rows.values.ndim else None
    if isinstance(rows, SparseRows) and isinstance(rows.starts, np.ndarray):
        return len(rows.starts) - 1 if rows.starts.ndim and len(rows.starts) else None
    return None


def _truths_are_sound(truths: Any, count: int, least: int, labels: int) -> bool:
    if isinstance(truths, Single):
        sound = _is_array(truths.labels, np.int32, 1) and len(truths.labels) == count
        if not sound or not count:
            return sound
        return bool(truths.labels.min() >= least and truths.labels.max() < labels)
    if not isinstance(truths, Multi):
        return False
    starts, named = truths.starts, truths.labels
    if not (_is_array(starts, np.int64, 1) and _is_array(named, np.int32, 1)):
        return False
    if len(starts) != count + 1 or starts[0] < 0 or starts[-1] > len(named):
        return False
    inside = not len(named) or (named.min() >= 0 and named.max() < labels)
    if not (inside and (np.diff(starts) >= 0).all()):
        return False
    rounds = np.repeat(np.arange(count), np.diff(starts))
    different = _all_different(rounds * labels + named[starts[0] : starts[-1]])
    return different and _degrees_are_sound(truths.degrees, len(named))


def _degrees_are_sound(degrees: Any, count: int) -> bool:
    """Return whether there is no degree of relevance, or one above 0 for each right label."""
    if not (_is_array(degrees, np.float64, 1) and len(degrees) in (0, count)):
        return False
    return bool(((degrees > 0.0) & (degrees < math.inf)).all())


def _all_different(numbers: Starts) -> bool:
    return len(np.unique(numbers)) == len(numbers)
