"""MurmurHash3, compiled: the same numbers as mmh3 gives for the same bytes.

The 32-bit x86 variant with seed 0. `mix_four_bytes` adds four bytes to a hash, `finish_hash` adds
the last one to three and ends it, so that a name can be hashed while it is read. int(n) is an
unlimited integer in Python and 64 bits that wrap around in compiled code; with the masks both
give the same result.
"""

from __future__ import annotations

import numpy as np

from onebit.kernel.verbs import kernel
from onebit.streams.reading.numbers import Bytes

_MASK = 0xFFFFFFFF


@kernel
def mix_four_bytes(h: int, four: int) -> int:
    """Return the hash after four more bytes, in little-endian order."""
    k = (int(four) * 0xCC9E2D51) & _MASK
    k = ((k << 15) | (k >> 17)) & _MASK
    h = int(h) ^ ((k * 0x1B873593) & _MASK)
    h = ((h << 13) | (h >> 19)) & _MASK
    return (h * 5 + 0xE6546B64) & _MASK


@kernel
def hash_byte(h: int, rest: int, length: int, c: int) -> tuple[int, int]:
    """Return an unfinished hash, and the bytes not mixed in yet, after one more byte."""
    rest |= c << (8 * (length & 3))
    return (mix_four_bytes(h, rest), 0) if length & 3 == 3 else (h, rest)


def begin_hash(prefix: bytes) -> tuple[int, int, int]:
    """Return the unfinished hash of a text that others follow: hash, rest and length."""
    h, rest = 0, 0
    for length, c in enumerate(prefix):
        h, rest = hash_byte(h, rest, length, c)
    return h, rest, len(prefix)


@kernel
def finish_hash(h: int, rest: int, length: int) -> int:
    """Return the hash of `length` bytes, of which the last zero to three are `rest`."""
    k = (int(rest) * 0xCC9E2D51) & _MASK
    k = ((k << 15) | (k >> 17)) & _MASK
    h = int(h) ^ ((k * 0x1B873593) & _MASK) ^ int(length)
    h ^= h >> 16
    h = (h * 0x85EBCA6B) & _MASK
    h ^= h >> 13
    h = (h * 0xC2B2AE35) & _MASK
    return h ^ (h >> 16)


@kernel
def murmur3(text: Bytes, start: int, stop: int) -> int:
    """Return the hash of text[start:stop]; it is not negative."""
    h, rest = 0, 0
    for at in range(start, stop):
        place = (at - start) & 3
        rest |= int(np.int64(text[at])) << (8 * place)
        if place == 3:
            h, rest = mix_four_bytes(h, rest), 0
    return finish_hash(h, rest, stop - start)  # type: ignore[no-any-return]
