"""Eight bytes of a text at a time, as one number, in compiled code.

The first byte is the lowest one of the number. It is unlimited in Python and 64 bits that wrap
around in compiled code; what is done here gives the same bits in both. `byte << 56` may be negative
in compiled code, so that masks are put after a shift to the right.
"""

from __future__ import annotations

import numpy as np

from onebit.kernel.verbs import kernel
from onebit.streams.reading.numbers import Bytes, byte_at

#: The lowest bit of each byte, all but the highest, the digit 0, and 128 - 10.
ONES, _LOW_BITS, _ZEROS, _TO_TEN = (
    0x0101010101010101, 0x7F7F7F7F7F7F7F7F, 0x3030303030303030, 0x7676767676767676
)  # fmt: skip
_MASK, _PRIME, _OTHER_PRIME = 0x7FFFFFFFFFFFFFFF, 0x1E3779B97F4A7C15, 0x2545F4914F6CDD1D
#: `digits_of` says that there is no mark.
NO_MARK = 8


@kernel
def eight_bytes(text: Bytes, at: int) -> int:
    """Return text[at : at + 8] as a number: one instruction, in compiled code."""
    return (  # type: ignore[no-any-return]
        byte_at(text, at)
        | byte_at(text, at + 1) << 8
        | byte_at(text, at + 2) << 16
        | byte_at(text, at + 3) << 24
        | byte_at(text, at + 4) << 32
        | byte_at(text, at + 5) << 40
        | byte_at(text, at + 6) << 48
        | byte_at(text, at + 7) << 56
    )


@kernel
def digits_of(text: Bytes, stop: int, length: int, mark: int) -> tuple[int, int, bool]:
    """Read the up to eight bytes before `stop`, at least eight after the start of the text.

    Returns the number that they are, the place of the mark before decimals among the eight, and
    whether they are digits and at most one mark.
    """
    digits = (eight_bytes(text, stop - 8) ^ _ZEROS) & (-1 << (8 * (8 - int(length))))
    other = digits ^ (ONES * (int(mark) ^ 48))
    found = (~(((other & _LOW_BITS) + _LOW_BITS) | other) >> 7) & ONES  # bytes that are the mark
    below = found - 1
    # digits before the mark move into its place
    shift = 8 if found != 0 else 0
    digits = ((digits & below) << shift) | (digits & ~((found << 8) - 1))
    other = (((digits + _TO_TEN) | digits) >> 7) & ONES  # bytes that are no digits
    sound = (other | (found & below)) == 0
    point = (((below & ONES) * ONES) >> 56) & 15
    # ten times each digit and the next one, then a hundred times each pair, and so on
    pairs = (digits * 10 + (digits >> 8)) & 0x00FF00FF00FF00FF
    fours = (pairs * 100 + (pairs >> 16)) & 0x0000FFFF0000FFFF
    return (fours * 10000 + (fours >> 32)) & 0xFFFFFFFF, point, sound


@kernel
def key_of(text: Bytes, start: int, stop: int) -> int:
    """Return a number for text[start:stop]: if it is not negative, only this text of its length.

    Other texts of one length may have the same negative number.
    """
    length = int(stop - start)
    if length <= 8 and (length == 0 or byte_at(text, stop - 1) < 128):
        if stop >= 8 and length > 0:
            return eight_bytes(text, stop - 8) >> (8 * (8 - length))  # type: ignore[no-any-return]
        key = 0
        for n in range(length):
            key |= byte_at(text, start + n) << (8 * n)
        return key
    h, at = length, start
    while at < stop:
        chunk = 0
        if at + 8 <= text.shape[0] and stop - at >= 8:
            chunk = eight_bytes(text, at)
        else:
            for n in range(stop - at):
                chunk |= byte_at(text, at + n) << (8 * n)
        h = ((h ^ chunk) * _PRIME) & _MASK
        h ^= h >> 29
        at += 8
    return -1 - h


@kernel
def slot_of(key: int, column: int, mask: int) -> int:
    """Return where to look first for a key of a column in a table of mask + 1 slots."""
    return (((int(key) ^ (int(column) * _OTHER_PRIME)) * _PRIME & _MASK) >> 31) & mask


@kernel
def same_bytes(one: Bytes, first: int, other: Bytes, begin: int, length: int) -> bool:
    """Return whether so many bytes of a text are those of another one, each from a place on."""
    for n in range(length):
        if one[np.uint64(first + n)] != other[np.uint64(begin + n)]:
            return False
    return True
