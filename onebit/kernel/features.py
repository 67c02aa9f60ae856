"""Converting a user's row (a dict, an array, a CSR row) to a row for kernels.

Names are hashed to a fixed width with MurmurHash3; integers are columns. Kernels do not check
rows, so it is done here: values are finite and at most 1e100, columns ascend and are below the
width.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from typing import Any

import mmh3
import numpy as np

from onebit.errors import BadRow
from onebit.kernel.real_numbers import as_numbers, real_number
from onebit.kernel.rows import Dense, Floats, Ints, Row, Sparse, Starts
from onebit.kernel.verbs import entry
from onebit.naming.params import short_repr

#: Default width for rows of named features.
HASHED_WIDTH = 2**18
#: The smallest width that names are hashed to; in fewer columns nearly all would collide.
FEWEST_HASHED = 64
#: The widest rows: columns are int32.
WIDEST = 2**31 - 1
#: The largest norm of a row, so that weights and scores stay finite.
LARGEST = 1e100
_LARGEST_SQUARE = LARGEST**2
_FLOAT64, _INT64, _INT32 = np.dtype(np.float64), np.dtype(np.int64), np.dtype(np.int32)
#: Makes a row of its arrays; calling its class takes twice as long.
_new = tuple.__new__


def width_of(x: Any) -> int:
    """Return the width of all rows, given the first one."""
    if isinstance(x, Mapping):
        if any(isinstance(name, int | np.integer) for name in x):
            raise BadRow("Agent: rows of numbered features need a width, give features=N.")
        return HASHED_WIDTH
    if is_sparse(x):
        check_csr(x)
        width = int(x.shape[-1])
    else:
        width = len(_values(x))
    if width == 0:
        raise BadRow("Agent: a row must have at least one feature, got none.")
    if width > WIDEST:
        raise BadRow(f"Agent: a row must have at most {WIDEST} features, got {width}.")
    return width


def usual_row(x: Any, width: int, named: bool) -> Row | None:
    """Return the row of an `x` of the usual types, in new arrays; None of any other, or a bad one.

    It is a dict of names if `named`, else an array or a CSR row.
    """
    if named:
        return _known_names(x, width)
    if type(x) is not np.ndarray:
        return _sorted_entries(x, width)
    if x.dtype is _FLOAT64 and x.shape == (width,):
        values = x.copy()
        if _norm_check.run(values, _LARGEST_SQUARE):
            return _new(Dense, (values,))
    return None


def read_row(x: Any, width: int) -> Row:
    """Return the row of a user's `x`, in new arrays."""
    if type(x) is not np.ndarray and isinstance(x, Mapping):  # the quickest check comes first
        return _from_mapping(x, width)
    if (row := usual_row(x, width, False)) is not None:
        return row
    if is_sparse(x):
        return _from_csr(x, width)
    values = _values(x)
    if values.shape[0] != width:
        raise BadRow(f"Agent: a row must have {width} features, got {values.shape[0]}.")
    check_values(values)
    return Dense(values)


class Code:
    """The machine code of an entry for arguments like these, found when it is first run."""

    def __init__(self, entry: Any, *args: Any) -> None:
        self.entry, self.args = entry, args
        self.run: Any = self._first

    def _first(self, *args: Any) -> Any:
        found = self.entry.exact(*self.args)
        if found is not self.entry.body:  # else compiling is switched off for now
            self.run = found
        return found(*args)


@entry
def norm_is_at_most(values: Floats, square: float) -> bool:
    """Return whether the squared norm is at most this; not so if a value is nan."""
    total = 0.0
    for j in range(values.shape[0]):
        total += float(values[j]) * float(values[j])
    return total <= square


@entry
def place_names(hashes: Starts, values: Floats, width: int, square: float, indices: Ints) -> bool:
    """Sort values by the columns of their hashed names, which become `indices`.

    Return whether all columns differ and the norm is allowed.
    """
    total = 0.0
    for n in range(hashes.shape[0]):
        column, value = hashes[n] % width, float(values[n]) + 0.0  # -0.0 becomes 0.0
        total += value * value
        m = n
        while m > 0 and indices[m - 1] > column:
            indices[m], values[m] = indices[m - 1], values[m - 1]
            m -= 1
        if m > 0 and indices[m - 1] == column:
            return False
        indices[m], values[m] = column, value
    return total <= square


@entry
def are_entries(indices: Ints | Starts, values: Floats, width: int, square: float) -> bool:
    """Return whether entries are those of a row, after each -0.0 became 0.0.

    Columns then ascend and are below the width, and the norm is allowed.
    """
    total, last = 0.0, -1
    for n in range(indices.shape[0]):
        column, value = indices[n], float(values[n]) + 0.0
        if column <= last or column >= width:
            return False
        last = column
        total += value * value
        values[n] = value
    return total <= square


# the type checks of numba's dispatcher would take longer than all else
_floats = np.empty(0)
_norm_check = Code(norm_is_at_most, _floats, 1.0)  # numpy would warn of an overflow
_place_names = Code(place_names, np.empty(0, _INT64), _floats, 1, 1.0, np.empty(0, _INT32))
_entries_check = {
    kind: Code(are_entries, np.empty(0, kind), _floats, 1, 1.0) for kind in (_INT32, _INT64)
}


def check_values(values: Floats) -> None:
    """Raise BadInput if a value is not finite, or the norm is above LARGEST."""
    if not _norm_check.run(values, _LARGEST_SQUARE):
        worst = values[~(np.abs(values) <= LARGEST)]
        value = float(worst[0]) if worst.size else float(np.abs(values).max())
        raise BadRow(
            "Agent: a row's values must be finite numbers of size"
            f" at most {LARGEST:g}, got {value}."
        )


def is_named(x: Any) -> bool | None:
    """Return whether a user's row has names for its features; None if it has no feature at all."""
    kind = type(x)
    if kind is np.ndarray or (kind is not dict and not isinstance(x, Mapping)):  # quickest first
        return False
    for name in x:
        if isinstance(name, str):
            return True
    return False if x else None


def kinds_of(rows: Any) -> set[bool]:
    """Return whether features have names (see `is_named`) in each of many rows: one or both.

    Only lists have rows with names; see `listed_rows`.
    """
    if not isinstance(rows, list):
        return {False}
    if rows and not any(issubclass(kind, Mapping) for kind in {*map(type, rows)}):
        return {False}
    return {named for each in rows if (named := is_named(each)) is not None}


def _values(x: Any) -> Floats:
    try:
        values = np.array(as_numbers(x), np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, BadRow):
            raise
        values = np.empty((0, 0))
    if values.ndim != 1:
        raise BadRow(
            "Agent: a row must be a dict of features, a 1-D array of numbers or a CSR row,"
            f" got {short_repr(x)}."
        )
    return values


#: The hashes of names seen before: at most so many names, of at most so many characters.
_hashes: dict[str, int] = {}
_MOST_NAMES, _LONGEST_NAME = 2**16, 64
_NUMBERS = {float, int}
#: Rows of more names than this are sorted by Python.
_MOST_PLACED = 256


def _from_mapping(x: Mapping[Any, Any], width: int) -> Sparse:
    row = _known_names(x, width)
    if row is not None:
        return row
    sums = _sums(x, width)
    indices = sorted(sums)
    values = np.array([sums[j] for j in indices], np.float64)
    check_values(values)
    return Sparse(np.array(indices, np.int32), values)


def _known_names(x: Mapping[Any, Any], width: int) -> Sparse | None:
    """Return the row of a dict of numbers by names that were hashed before, else None."""
    if width < FEWEST_HASHED or type(x) is not dict or len(x) > _MOST_PLACED:
        return None
    if not _NUMBERS.issuperset(map(type, x.values())):
        return None
    count = len(x)
    try:
        hashes = np.fromiter(map(_hashes.__getitem__, x), _INT64, count)
        values = np.fromiter(x.values(), _FLOAT64, count)
    except (KeyError, OverflowError, RuntimeError, ValueError):
        return None  # a new name, a number too large, or changed meanwhile
    indices = np.empty(count, _INT32)
    placed = _place_names.run(hashes, values, width, _LARGEST_SQUARE, indices)
    return _new(Sparse, (indices, values)) if placed else None


def _sums(x: Mapping[Any, Any], width: int) -> dict[int, float]:
    """Return the columns of a row and their values; those of one column are added."""
    sums: dict[int, float] = {}
    for name, value in x.items():
        column = _column(name, value, width)
        is_name = isinstance(name, str)
        try:
            number = 1.0 if is_name and isinstance(value, str) else real_number(value)
        except (TypeError, ValueError, OverflowError):
            raise BadRow(
                f"Agent: feature {short_repr(name)} must be a number{' or a string' * is_name},"
                f" got {short_repr(value)}."
            ) from None
        sums[column] = sums.get(column, 0.0) + number
    return sums


def _column(name: Any, value: Any, width: int) -> int:
    """Return the column of a feature; a string value is a feature of its own, name=value."""
    if isinstance(name, str):
        if width < FEWEST_HASHED:
            raise BadRow(
                f"Agent: names of features are hashed to the width, which must be at least"
                f" {FEWEST_HASHED}, got {width}; number the features, or leave features=N out."
            )
        # members of an enumeration of texts are formatted by other names than their texts
        text = "=".join((name, value)) if isinstance(value, str) else name
        return _hash(text) % width
    if isinstance(name, (int, np.integer)) and not isinstance(name, bool | np.timedelta64):
        if 0 <= name < width:
            return int(name)
        got = short_repr(name)
        raise BadRow(f"Agent: a feature's number must be in 0..{width - 1}, got {got}.")
    raise BadRow(f"Agent: a feature's name must be a string or a number, got {short_repr(name)}.")


def _hash(text: str) -> int:
    """Return the hash of a feature's name; it is remembered, for rows repeat their names."""
    found = _hashes.get(text)
    if found is None:
        found = mmh3.hash(_utf8(text), signed=False)
        if len(text) <= _LONGEST_NAME and type(text) is str:
            if len(_hashes) >= _MOST_NAMES:
                _hashes.clear()  # another thread may do the same: nothing is lost but time
            _hashes[text] = found
    return found


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate
        raise BadRow(f"Agent: a feature must be text of Unicode, got {text!a}.") from None


def _from_csr(x: Any, width: int) -> Sparse:
    check_csr(x)
    if math.prod(x.shape[:-1]) != 1:
        raise BadRow(f"Agent: a CSR row must be a single row, got shape {x.shape}.")
    if x.shape[-1] != width:
        raise BadRow(f"Agent: a row must have {width} features, got {x.shape[-1]}.")
    start, stop = np.asarray(x.indptr).tolist()
    indices, data = np.asarray(x.indices)[start:stop].tolist(), as_numbers(x.data)[start:stop]
    entries = dict.fromkeys(indices, 0.0)
    for column, value in zip(indices, data.tolist(), strict=True):
        entries[column] += value
    return _from_mapping(entries, width)


def _sorted_entries(x: Any, width: int) -> Sparse | None:
    """Return a CSR row whose entries are sorted and of the usual types; None of any other."""
    starts = getattr(x, "indptr", None)
    if type(starts) is not np.ndarray or starts.shape != (2,):
        return None
    indices: Any = getattr(x, "indices", None)
    data: Any = getattr(x, "data", None)
    shape = getattr(x, "shape", None)
    if type(shape) is not tuple or shape != (1, width) or getattr(x, "format", "csr") != "csr":
        return None
    if type(indices) is not np.ndarray or type(data) is not np.ndarray:
        return None
    code = _entries_check.get(indices.dtype)
    if code is None or data.dtype is not _FLOAT64 or starts.dtype.kind != "i":
        return None
    start, stop = starts.tolist()
    if data.ndim != 1 or indices.shape != data.shape or not 0 <= start <= stop <= len(data):
        return None
    if stop - start < len(data):
        indices, data = indices[start:stop], data[start:stop]
    columns, values = indices.copy(), data.copy()  # contiguous, whatever x has
    if not code.run(columns, values, width, _LARGEST_SQUARE):
        return None
    if columns.dtype is not _INT32:
        columns = columns.astype(_INT32)
    return _new(Sparse, (columns, values))


def is_sparse(x: Any) -> bool:
    """Return whether x is a sparse matrix of any form; `check_csr` says whether it is taken."""
    return hasattr(x, "indptr") or hasattr(x, "tocsr")


def check_csr(x: Any) -> None:
    """Raise BadRow if a sparse matrix is not in CSR form, such as CSC, whose fields look alike."""
    if getattr(x, "format", "csr") != "csr":
        raise BadRow(
            f"Agent: a sparse matrix must be in CSR form, got {short_repr(x.format)}; x.tocsr()"
            " makes it so."
        )
    try:
        shape = [*map(operator.index, x.shape)]
        starts, indices = np.asarray(x.indptr), np.asarray(x.indices)
        whole = all(part.dtype.kind in "iu" or not part.size for part in (starts, indices))
        starts = starts.astype(np.int64)
        sound = (
            whole
            and 1 <= len(shape) <= 2
            and 0 <= shape[-1] < 2**63
            and starts.ndim == indices.ndim == 1
            and len(starts) == math.prod(shape[:-1]) + 1
            and 0 <= starts[0] <= starts[-1] <= len(indices)
            and np.shape(x.data) == indices.shape
            and bool((starts[1:] >= starts[:-1]).all())
        )
    except (AttributeError, TypeError, ValueError):
        sound = False
    if not sound:
        raise BadRow(
            "Agent: a CSR matrix must have indptr, indices and data that fit its shape, got"
            f" {short_repr(x)}."
        )
