"""Numbers in fields, in compiled code: a field that is wholly a number, and what is missing."""

from __future__ import annotations

import numpy as np

from onebit.kernel.verbs import kernel
from onebit.streams.reading.eight_bytes import NO_MARK, digits_of
from onebit.streams.reading.numbers import (
    EXACT_POWER,
    EXACT_POWERS_OF_TEN,
    PARSED,
    Bytes,
    byte_at,
    is_digit,
    read_long_number,
    times_power_of_ten,
)
from onebit.streams.tables.fields import MISSING

#: The longest text that means that there is no value.
LONGEST_MISSING = max(map(len, MISSING))
#: Texts that mean so, each as one number.
_MISSING_WORDS = np.array(
    sorted(int.from_bytes(word.encode(), "little") for word in MISSING), np.int64
)

#: Whole numbers below are floats exactly.
_EXACT = 1 << 53
#: The power of ten to divide by, by the place of the mark in the last eight bytes; 1 for none. From
#: the 9th on by the place of the mark in the eight bytes before them, and 9.
_TENS = np.array([10.0 ** (7 - n) for n in range(8)] + [1.0] + [10.0 ** (15 - n) for n in range(8)])


@kernel
def read_field_number(text: Bytes, start: int, stop: int, mark: int) -> tuple[float, bool]:
    """Return the number in text[start:stop], and whether it could be read.

    `mark` is the byte before decimals. What is left to Python: rare blanks around a number,
    infinity, and numbers that cannot be rounded here.
    """
    negative = byte_at(text, start) == 45
    length = stop - start - (1 if negative else 0)
    if length > 16 or length < 1 or stop < 16:
        return read_long_field(text, start, stop, mark)  # type: ignore[no-any-return]
    if length <= 8:
        w, point, sound = digits_of(text, stop, length, mark)
        marked, value = point != NO_MARK, float(w) / _TENS[np.uint64(point)]
    else:
        w, point, sound = digits_of(text, stop, 8, mark)
        high, place, whole = digits_of(text, stop - 8, length - 8, mark)
        marked = (point != NO_MARK) | (place != NO_MARK)
        sound = sound & whole & ((point == NO_MARK) | (place == NO_MARK))
        w += high * (100_000_000 if point == NO_MARK else 10_000_000)
        # of the first eight bytes all but the mark count, if decimals begin there
        value = float(w) / _TENS[np.uint64(point + (0 if place == NO_MARK else place + 1))]
        sound = sound & ((w < _EXACT) | (not marked))
    if not sound or (marked and (length == 1 or (mark == 44 and byte_at(text, stop - 1) == mark))):
        return read_long_field(text, start, stop, mark)  # type: ignore[no-any-return]
    return -value if negative else value, True


@kernel
def read_long_field(text: Bytes, start: int, stop: int, mark: int) -> tuple[float, bool]:
    """Read a number as `read_field_number` does, of any length, a byte at a time."""
    negative = byte_at(text, start) == 45
    w, point, at = 0, -1, start + 1 if negative else start
    first = at
    c = byte_at(text, at)  # there is a byte after each field, which is part of no number
    while at < stop and is_digit(c):
        w = w * 10 + (c - 48)
        at += 1
        c = byte_at(text, at)
    if at < stop and c == mark:
        at += 1
        point = at
        c = byte_at(text, at)
        while at < stop and is_digit(c):
            w = w * 10 + (c - 48)
            at += 1
            c = byte_at(text, at)
    digits = at - first - (1 if point >= 0 else 0)
    if at < stop or digits <= 0 or digits > 18 or (mark == 44 and point == stop):
        return read_odd_number(text, start, stop, mark)  # type: ignore[no-any-return]
    if point < 0 or (digits <= 15 and stop - point <= EXACT_POWER):
        value, kind = float(w), PARSED
        if point >= 0:
            value /= EXACT_POWERS_OF_TEN[np.uint64(stop - point)]
    else:
        value, kind = times_power_of_ten(w, point - stop)
    return -value if negative else value, kind == PARSED


@kernel
def read_odd_number(text: Bytes, start: int, stop: int, mark: int) -> tuple[float, bool]:
    """Read a number as `read_field_number` does, with an exponent or blanks around it."""
    while start < stop and byte_at(text, start) == 32:
        start += 1
    while start < stop and byte_at(text, stop - 1) == 32:
        stop -= 1
    if start == stop or mark != 46:
        return 0.0, False
    end, value, kind = read_long_number(text, start)
    return value, kind == PARSED and end == stop


@kernel
def is_missing_word(text: Bytes, start: int, stop: int) -> bool:
    """Return whether text[start:stop] is one of the texts that mean that there is no value."""
    if stop - start > LONGEST_MISSING or (stop > start and is_digit(byte_at(text, start))):
        return False
    word = 0
    for n in range(stop - start):
        word |= byte_at(text, start + n) << (8 * n)
    for n in range(_MISSING_WORDS.shape[0]):
        if _MISSING_WORDS[n] == word:
            return True
    return False
