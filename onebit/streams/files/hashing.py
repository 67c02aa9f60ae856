"""MurmurHash3, compiled: the same numbers as mmh3 gives for the same bytes."""

from __future__ import annotations

import numpy as np

from onebit.streams.files.numbers import Bytes
from onebit.verbs import kernel

_MASK = 0xFFFFFFFF


@kernel
def murmur(text: Bytes, start: int, stop: int) -> int:
    """Return the 32-bit x86 hash of text[start:stop] under seed 0, not negative."""
    h = 0
    at = start
    while at + 4 <= stop:
        k = (
            int(np.int64(text[at]))
            | int(np.int64(text[at + 1])) << 8
            | int(np.int64(text[at + 2])) << 16
            | int(np.int64(text[at + 3])) << 24
        )
        k = (k * 0xCC9E2D51) & _MASK
        k = ((k << 15) | (k >> 17)) & _MASK
        h ^= (k * 0x1B873593) & _MASK
        h = ((h << 13) | (h >> 19)) & _MASK
        h = (h * 5 + 0xE6546B64) & _MASK
        at += 4
    k = 0
    for n in range(stop - at):
        k |= int(np.int64(text[at + n])) << (8 * n)
    k = (k * 0xCC9E2D51) & _MASK
    k = ((k << 15) | (k >> 17)) & _MASK
    h ^= (k * 0x1B873593) & _MASK
    h ^= stop - start
    h ^= h >> 16
    h = (h * 0x85EBCA6B) & _MASK
    h ^= h >> 13
    h = (h * 0xC2B2AE35) & _MASK
    return h ^ (h >> 16)
