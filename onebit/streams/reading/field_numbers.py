"""Numbers in fields, in compiled code: a field that is wholly a number, and what is missing."""

from __future__ import annotations

import numpy as np

from onebit.kernel.verbs import kernel
from onebit.streams.reading.numbers import (
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


@kernel
def read_field_number(text: Bytes, start: int, stop: int, mark: int) -> tuple[float, bool]:
    """Return the number that text[start:stop] is, and whether it is surely one.

    Blanks around it are no part of it; `mark` is the byte before decimals. What is left to Python:
    rare blanks, infinity, and numbers that cannot be rounded here.
    """
    while start < stop and byte_at(text, start) == 32:
        start += 1
    while start < stop and byte_at(text, stop - 1) == 32:
        stop -= 1
    at = start
    if at < stop and (text[at] == 45 or text[at] == 43):
        at += 1
    first, w, point, c = at, 0, -1, 0
    while at < stop:
        c = byte_at(text, at)
        if is_digit(c):
            w = w * 10 + (c - 48)
        elif c == mark and point < 0:
            point = at + 1
        else:
            break
        at += 1
    digits = at - first - (1 if point >= 0 else 0)
    if at < stop:
        if mark != 46 or (c != 101 and c != 69):
            return 0.0, False
        end, value, kind = read_long_number(text, start)
        return value, kind == PARSED and end == stop
    if digits == 0 or digits > 18 or (mark == 44 and point == stop):
        return 0.0, False
    value, kind = times_power_of_ten(w, point - stop if point >= 0 else 0)
    return -value if text[start] == 45 else value, kind == PARSED


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
