"""A row from a JSON object of numbers by names, in compiled code.

What it reads, it reads as `json.loads` and `read_row` would, to the last bit. Everything else
(other values, names with escapes or beyond ASCII, columns that two names share, long numbers)
it leaves to them.
"""

from __future__ import annotations

import numpy as np

from onebit.kernel.features import FEWEST_HASHED, LARGEST, Code
from onebit.kernel.rows import Floats, Ints, Sparse
from onebit.kernel.verbs import entry, kernel
from onebit.streams.reading.hashing import murmur3
from onebit.streams.reading.numbers import PARSED, Bytes, byte_at, is_digit, read_number

#: More features than this are not sorted here.
_MOST = 256
_QUOTE, _COLON, _COMMA, _MINUS, _BACKSLASH, _OPEN, _CLOSE = 34, 58, 44, 45, 92, 123, 125


@kernel
def skip_space(text: Bytes, at: int) -> int:
    """Return where the next byte is that is no white space."""
    while byte_at(text, at) <= 32:
        at += 1
    return at


@kernel
def end_of_name(text: Bytes, at: int) -> int:
    """Return where a name ends that begins at text[at]; -1 if it is not plain ASCII."""
    c = byte_at(text, at)
    while c != _QUOTE:
        if c < 32 or c > 126 or c == _BACKSLASH or at == text.shape[0] - 1:
            return -1
        at += 1
        c = byte_at(text, at)
    return at


@entry
def place_json(text: Bytes, width: int, square: float, indices: Ints, values: Floats) -> int:
    """Read an object of JSON, which must be sound; return how many features it has, or -1."""
    if byte_at(text, 0) != _OPEN or byte_at(text, text.shape[0] - 1) != _CLOSE:
        return -1
    at, n, total = skip_space(text, 1), 0, 0.0
    while byte_at(text, at) == _QUOTE:
        end = end_of_name(text, at + 1)
        if end < 0:
            return -1
        column = murmur3(text, at + 1, end) % width
        at = skip_space(text, end + 1)
        if byte_at(text, at) != _COLON:
            return -1
        at = skip_space(text, at + 1)
        c = byte_at(text, at)
        if not is_digit(c) and c != _MINUS:
            return -1
        at, value, kind = read_number(text, at)
        if kind != PARSED or n == indices.shape[0]:
            return -1
        value += 0.0  # -0.0 becomes 0.0
        total += value * value
        m = n
        while m > 0 and indices[m - 1] > column:
            indices[m], values[m] = indices[m - 1], values[m - 1]
            m -= 1
        if m > 0 and indices[m - 1] == column:
            return -1
        indices[m], values[m] = column, value
        n += 1
        at = skip_space(text, at)
        if byte_at(text, at) == _COMMA:
            at = skip_space(text, at + 1)
    return n if at == text.shape[0] - 1 and total <= square else -1


_place = Code(
    place_json, np.frombuffer(b"{}", np.uint8), 1, 1.0, np.empty(0, np.int32), np.empty(0)
)


def read_json_row(text: bytes, width: int) -> Sparse | None:
    """Return the row of a JSON object of numbers by names; None if it is anything else.

    Parameters
    ----------
    text : bytes
        JSON whose syntax was checked.
    width : int
        The number of columns that names are hashed to.
    """
    most = text.count(b":")
    if width < FEWEST_HASHED or not 0 < most <= _MOST:
        return None
    indices, values = np.empty(most, np.int32), np.empty(most)
    count = _place.run(np.frombuffer(text, np.uint8), width, LARGEST**2, indices, values)
    return Sparse(indices, values) if count == most else None
