"""Parsing numbers in compiled code, with the same bits as Python's float().

A number of up to 18 digits is w * 10**e with an integer w. If w is below 2**53 and e is small,
one multiplication or division of exact numbers rounds correctly (Clinger, PLDI 1990). Else w is
multiplied by the first 90 bits of 10**e and the product is rounded, unless it is so near to the
middle of two floats that more bits could decide otherwise (Lemire, "Number parsing at a gigabyte
per second", 2021). The few numbers that remain are deferred to Python's float().
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from onebit.kernel.verbs import kernel

Bytes = npt.NDArray[np.uint8]

#: What `read_number` found: a number, one that float() must read, or none.
PARSED, DEFERRED, NO_NUMBER = 0, 1, -1
#: The largest power of ten that a float64 holds exactly.
EXACT_POWER = 22
#: The table has the powers of ten from 10**-LARGEST_POWER to 10**LARGEST_POWER.
LARGEST_POWER = 80
_LOW_BITS = 2**30 - 1


def _powers_of_ten() -> tuple[list[list[int]], list[int]]:
    """Return the first 90 bits of each power of ten, in three parts, and its binary exponent."""
    parts, powers = [], []
    for e in range(-LARGEST_POWER, LARGEST_POWER + 1):
        shift = 400 if e < 0 else 0
        whole = (1 << shift) // 10**-e if e < 0 else 10**e
        drop = whole.bit_length() - 90
        bits = whole >> drop if drop > 0 else whole << -drop
        parts.append([bits >> 60, (bits >> 30) & _LOW_BITS, bits & _LOW_BITS])
        powers.append(drop - shift)
    return parts, powers


_parts, _powers = _powers_of_ten()
_POWERS_OF_TEN = np.array(_parts, np.int64)
_BINARY_EXPONENTS = np.array(_powers, np.int64)
EXACT_POWERS_OF_TEN = np.array([float(10**e) for e in range(EXACT_POWER + 1)])
_POWERS_OF_TWO = np.array([2.0**e for e in range(-512, 512)])


@kernel
def byte_at(text: Bytes, at: int) -> int:
    """Return a byte as a number: unlimited in Python, of 64 bits in compiled code.

    The position, which must not be negative, is given as such: else compiled code would ask for
    each byte whether to count from the end.
    """
    return int(np.int64(text[np.uint64(at)]))


@kernel
def is_digit(c: int) -> bool:
    """Return whether a byte is one of 0 to 9; `&` makes it one comparison in compiled code."""
    return (c >= 48) & (c <= 57)


@kernel
def read_number(text: Bytes, at: int) -> tuple[int, float, int]:
    """Read the number at text[at:]; return where it ends, its value, and what was found.

    The text must end with a byte that is part of no number, such as a newline.
    """
    # most numbers are short and have no exponent
    w, end = 0, at
    c = byte_at(text, end)
    while is_digit(c) and end < at + 9:
        w = w * 10 + (c - 48)
        end += 1
        c = byte_at(text, end)
    point = end
    if c == 46 and end > at:
        point = end + 1
        end = point
        c = byte_at(text, end)
        while is_digit(c) and end < at + 16:
            w = w * 10 + (c - 48)
            end += 1
            c = byte_at(text, end)
    if end > at and c <= 35:
        return end, float(w) / EXACT_POWERS_OF_TEN[end - point], PARSED
    return read_long_number(text, at)  # type: ignore[no-any-return]


@kernel
def read_long_number(text: Bytes, at: int) -> tuple[int, float, int]:
    """Read a number as `read_number` does, of any length and with an exponent."""
    negative = text[at] == 45
    if negative or text[at] == 43:
        at += 1
    start, e = at, 0
    at, w = read_digits(text, at, 0)
    digits = at - start
    if byte_at(text, at) == 46:
        point = at + 1
        at, w = read_digits(text, point, w)
        e = point - at
        digits -= e
    if digits == 0:
        return at, 0.0, NO_NUMBER
    if digits > 18:  # leading zeros do not count
        while text[start] == 48 or text[start] == 46:
            digits -= 1 if text[start] == 48 else 0
            start += 1
    c = byte_at(text, at)
    if c == 101 or c == 69:
        at, power, kind = read_power(text, at + 1)
        if kind == NO_NUMBER:
            return at, 0.0, NO_NUMBER
        e += power
    if digits > 18:
        return at, 0.0, DEFERRED
    value, kind = times_power_of_ten(w, e)
    return at, -value if negative else value, kind


@kernel
def read_digits(text: Bytes, at: int, w: int) -> tuple[int, int]:
    """Read the digits at text[at:] after those of a number; return where they end, and it."""
    c = byte_at(text, at)
    while is_digit(c):
        w = w * 10 + (c - 48)
        at += 1
        c = byte_at(text, at)
    return at, w


@kernel
def read_power(text: Bytes, at: int) -> tuple[int, int, int]:
    """Read the exponent at text[at:]; return where it ends, its value, and what was found."""
    minus = byte_at(text, at) == 45
    if minus or byte_at(text, at) == 43:
        at += 1
    power, start = 0, at
    while is_digit(byte_at(text, at)):
        power = min(power * 10 + (byte_at(text, at) - 48), 1_000_000)
        at += 1
    return at, -power if minus else power, NO_NUMBER if at == start else PARSED


@kernel
def times_power_of_ten(w: int, e: int) -> tuple[float, int]:
    """Return w * 10**e for 0 <= w < 10**18, correctly rounded, and PARSED; or DEFERRED."""
    if w == 0:
        return 0.0, PARSED
    if w < 9007199254740992:
        if 0 <= e <= EXACT_POWER:
            return float(w) * EXACT_POWERS_OF_TEN[e], PARSED
        if -EXACT_POWER <= e < 0:
            return float(w) / EXACT_POWERS_OF_TEN[-e], PARSED
    if e < -LARGEST_POWER or e > LARGEST_POWER:
        return 0.0, DEFERRED
    shifted = 0
    for step in (32, 16, 8, 4, 2, 1):
        if w < 1 << (60 - step):
            w <<= step
            shifted += step
    # w has 60 bits now; the first 90 bits of the product are high (59 or 60 of them) and low (30)
    w1, w0 = w >> 30, w & _LOW_BITS
    i = e + LARGEST_POWER
    a, b, c = _POWERS_OF_TEN[i, 0], _POWERS_OF_TEN[i, 1], _POWERS_OF_TEN[i, 2]
    third = w1 * c + w0 * b + ((w0 * c) >> 30)
    second = w1 * b + w0 * a + (third >> 30)
    high, low = w1 * a + (second >> 30), second & _LOW_BITS
    shift = 6 if high >= 1 << 59 else 5
    bits = high >> shift  # the 53 bits of a float64, and one to round by
    rest = ((high & ((1 << shift) - 1)) << 30) | low
    if rest >= (1 << (shift + 30)) - 2 or (rest == 0 and bits & 1 == 1):
        return 0.0, DEFERRED
    power = 1 + shift + 90 + _BINARY_EXPONENTS[i] - shifted
    return float((bits + (bits & 1)) >> 1) * _POWERS_OF_TWO[power + 512], PARSED
