"""Reading numbers out of text, compiled, with the same bits as Python's float().

A number of up to 18 digits is w * 10**e with whole w. If w is below 2**53 and
e small, one multiplication or division of exact numbers rounds correctly
(Clinger, PLDI 1990). Else w is multiplied by the first 90 bits of 10**e, and
the result is rounded, unless it lies so near to the middle of two numbers
that more bits could decide otherwise (Lemire, "Number parsing at a gigabyte
per second", 2021). The few numbers that remain are `HARD`: Python reads those.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from onebit.kernel.verbs import kernel

Bytes = npt.NDArray[np.uint8]

#: What was read: a number, one for Python to read, or no number at all.
EASY, HARD, NONE = 0, 1, -1
#: Powers of ten that a float64 holds exactly.
EXACT = 22
#: Powers of ten in the table, from 10**-FAR to 10**FAR.
FAR = 80
_LOW = 2**30 - 1


def _table() -> tuple[list[list[int]], list[int]]:
    """Return the first 90 bits of each power of ten, in three parts, and its power of two."""
    parts, powers = [], []
    for e in range(-FAR, FAR + 1):
        shift = 400 if e < 0 else 0
        whole = (1 << shift) // 10**-e if e < 0 else 10**e
        drop = whole.bit_length() - 90
        bits = whole >> drop if drop > 0 else whole << -drop
        parts.append([bits >> 60, (bits >> 30) & _LOW, bits & _LOW])
        powers.append(drop - shift)
    return parts, powers


_parts, _powers = _table()
_TEN = np.array(_parts, np.int64)
_TEN_POWER = np.array(_powers, np.int64)
_EXACT_TENS = np.array([float(10**e) for e in range(EXACT + 1)])
_TWOS = np.array([2.0**e for e in range(-512, 512)])


@kernel
def read_number(text: Bytes, at: int) -> tuple[int, float, int]:
    """Read a number that starts at `at`: return where it ends, its value, and what it is.

    The text must end with a byte that belongs to no number, such as a newline.
    """
    # most numbers are short and have no power: these lines are few enough to be inlined
    w, end = 0, at
    c = int(np.int64(text[end]))
    while 48 <= c <= 57 and end < at + 9:
        w = w * 10 + (c - 48)
        end += 1
        c = int(np.int64(text[end]))
    point = end
    if c == 46 and end > at:
        point = end + 1
        end = point
        c = int(np.int64(text[end]))
        while 48 <= c <= 57 and end < at + 16:
            w = w * 10 + (c - 48)
            end += 1
            c = int(np.int64(text[end]))
    if end > at and c <= 35:
        return end, float(w) / _EXACT_TENS[end - point], EASY
    return read_any_number(text, at)  # type: ignore[no-any-return]


@kernel
def read_any_number(text: Bytes, at: int) -> tuple[int, float, int]:
    """Read a number as `read_number` does, however it is written."""
    negative = text[at] == 45
    if negative or text[at] == 43:
        at += 1
    w, e, start = 0, 0, at
    c = int(np.int64(text[at]))  # whole numbers without limit in Python, 64 bits compiled
    while 48 <= c <= 57:
        w = w * 10 + (c - 48)
        at += 1
        c = int(np.int64(text[at]))
    digits = at - start
    if c == 46:
        at += 1
        point = at
        c = int(np.int64(text[at]))
        while 48 <= c <= 57:
            w = w * 10 + (c - 48)
            at += 1
            c = int(np.int64(text[at]))
        e = point - at
        digits -= e
    if digits == 0:
        return at, 0.0, NONE
    if digits > 18:  # leading zeros do not count
        while text[start] == 48 or text[start] == 46:
            digits -= 1 if text[start] == 48 else 0
            start += 1
    kept = digits
    if c == 101 or c == 69:
        at += 1
        minus = text[at] == 45
        if minus or text[at] == 43:
            at += 1
        power, start = 0, at
        while 48 <= text[at] <= 57:
            power = min(power * 10 + (int(np.int64(text[at])) - 48), 1_000_000)
            at += 1
        if at == start:
            return at, 0.0, NONE
        e += -power if minus else power
    if kept > 18:
        return at, 0.0, HARD
    value, kind = scaled(w, e)
    return at, -value if negative else value, kind


@kernel
def scaled(w: int, e: int) -> tuple[float, int]:
    """Return w * 10**e for 0 <= w < 10**18, correctly rounded, or say that it is hard."""
    if w == 0:
        return 0.0, EASY
    if w < 9007199254740992:
        if 0 <= e <= EXACT:
            return float(w) * _EXACT_TENS[e], EASY
        if -EXACT <= e < 0:
            return float(w) / _EXACT_TENS[-e], EASY
    if e < -FAR or e > FAR:
        return 0.0, HARD
    lift = 0
    for step in (32, 16, 8, 4, 2, 1):
        if w < 1 << (60 - step):
            w <<= step
            lift += step
    # w has 60 bits now; the product's first 90 bits are high (59 or 60 of them) and low (30)
    w1, w0 = w >> 30, w & _LOW
    a, b, c = _TEN[e + FAR, 0], _TEN[e + FAR, 1], _TEN[e + FAR, 2]
    third = w1 * c + w0 * b + ((w0 * c) >> 30)
    second = w1 * b + w0 * a + (third >> 30)
    high, low = w1 * a + (second >> 30), second & _LOW
    shift = 6 if high >= 1 << 59 else 5
    bits = high >> shift  # 54 of them: those of a float64, and one to round by
    rest = ((high & ((1 << shift) - 1)) << 30) | low
    if rest >= (1 << (shift + 30)) - 2 or (rest == 0 and bits & 1 == 1):
        return 0.0, HARD
    power = 1 + shift + 90 + _TEN_POWER[e + FAR] - lift
    return float((bits + (bits & 1)) >> 1) * _TWOS[power + 512], EASY
