"""MurmurHash3, compiled: the same numbers as mmh3 gives for the same bytes.

The 32-bit x86 variant under seed 0. It takes four bytes at a time: `mixed`
takes four, `finished` takes what is left and ends the hash, so that a name may
be hashed while it is read. int(n) is a whole number without limit in Python, also of
numpy's numbers, and 64 bits that wrap around in compiled code; the masks make the two
agree.
"""

from __future__ import annotations

import numpy as np

from onebit.kernel.verbs import kernel
from onebit.streams.reading.numbers import Bytes

_MASK = 0xFFFFFFFF


@kernel
def mixed(h: int, four: int) -> int:
    """Return the hash after four more bytes, the first one lowest."""
    k = (int(four) * 0xCC9E2D51) & _MASK
    k = ((k << 15) | (k >> 17)) & _MASK
    h = int(h) ^ ((k * 0x1B873593) & _MASK)
    h = ((h << 13) | (h >> 19)) & _MASK
    return (h * 5 + 0xE6546B64) & _MASK


@kernel
def finished(h: int, rest: int, length: int) -> int:
    """Return the hash of a text of this length, whose last one to three bytes are `rest`."""
    k = (int(rest) * 0xCC9E2D51) & _MASK
    k = ((k << 15) | (k >> 17)) & _MASK
    h = int(h) ^ ((k * 0x1B873593) & _MASK) ^ int(length)
    h ^= h >> 16
    h = (h * 0x85EBCA6B) & _MASK
    h ^= h >> 13
    h = (h * 0xC2B2AE35) & _MASK
    return h ^ (h >> 16)


@kernel
def murmur(text: Bytes, start: int, stop: int) -> int:
    """Return the hash of text[start:stop]; it is not negative."""
    h, rest = 0, 0
    for at in range(start, stop):
        place = (at - start) & 3
        rest |= int(np.int64(text[at])) << (8 * place)
        if place == 3:
            h, rest = mixed(h, rest), 0
    return finished(h, rest, stop - start)  # type: ignore[no-any-return]
