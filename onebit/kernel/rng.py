"""Chance as a function: the same key and round always give the same number.

SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) in counter mode. There is no
generator state to save, any round can be drawn first, and two learners that
run under one seed meet the same draws, so that comparing them is paired. Every
purpose has a key of its own: two decisions never share a number.
"""

from __future__ import annotations

import hashlib

import numpy as np

from onebit.kernel.rows import Floats, Starts
from onebit.kernel.verbs import kernel

_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB
_MASK = 0xFFFFFFFFFFFFFFFF


def key(seed: int, purpose: str) -> int:
    """Return the key for one purpose under a seed: 63 bits, so an int64 holds it."""
    digest = hashlib.blake2b(f"{seed} {purpose}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1


@kernel
def uniform(key: int, round: int) -> float:
    """Return a number in [0, 1) that depends on nothing but the key and the round."""
    # int(np.uint64(n)) is a whole number without limit in Python, and 64 bits
    # that wrap around in compiled code; the masks make the two agree.
    z = (int(np.uint64(key)) + int(np.uint64(round)) * _GOLDEN) & _MASK
    z = ((z ^ (z >> 30)) * _MIX_1) & _MASK
    z = ((z ^ (z >> 27)) * _MIX_2) & _MASK
    z = z ^ (z >> 31)
    return (z >> 11) * 2.0**-53


@kernel
def subkey(key: int, number: int) -> int:
    """Return a key for one of many purposes of the same kind: 63 bits."""
    z = (int(np.uint64(key)) + int(np.uint64(number + 1)) * _GOLDEN) & _MASK
    z = ((z ^ (z >> 30)) * _MIX_1) & _MASK
    z = ((z ^ (z >> 27)) * _MIX_2) & _MASK
    z = z ^ (z >> 31)
    return z >> 1


def uniforms(key: int, first: int, n: int) -> Floats:
    """Return uniform(key, round) for n rounds from `first` on, the same bits at once."""
    z = np.arange(first, first + n, dtype=np.uint64) * np.uint64(_GOLDEN) + np.uint64(key)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(_MIX_1)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(_MIX_2)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)).astype(np.float64) * 2.0**-53


def permutation(key: int, n: int) -> Starts:
    """Return the numbers 0 to n - 1 in random order: that of their uniforms."""
    return np.argsort(uniforms(key, 0, n), kind="stable")


@kernel
def best(scores: Floats, u: float) -> int:
    """Return the label of the highest score; u in [0, 1) picks among equals, 0 the first."""
    top, ties = 0, 1
    for k in range(1, scores.shape[0]):
        if scores[k] > scores[top]:
            top, ties = k, 1
        elif scores[k] == scores[top]:
            ties += 1
    if ties == 1:
        return top
    skip = int(u * ties)
    k = top
    while skip > 0:
        k += 1
        if scores[k] == scores[top]:
            skip -= 1
    return k


@kernel
def draw(probs: Floats, u: float) -> int:
    """Return the label that u in [0, 1) falls on when the probs are laid end to end."""
    last, total = 0, 0.0
    for k in range(probs.shape[0]):
        if probs[k] > 0.0:
            last = k
            total += probs[k]
            if u < total:
                return k
    return last
