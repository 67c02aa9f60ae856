"""Random numbers as a function: the same key and round always give the same number.

SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) in counter mode. There is no generator state to
save, rounds can be drawn in any order, and learners under one seed get the same draws, so that
comparing them is paired. Every purpose has its own key, so that no two draws share a number.
"""

from __future__ import annotations

import hashlib

import numpy as np

from onebit.kernel.rows import Floats, Starts
from onebit.kernel.verbs import kernel

__all__ = ["best", "draw", "key", "permutation", "subkey", "uniform", "uniforms"]

_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB
_MASK = 0xFFFFFFFFFFFFFFFF


def key(seed: int, purpose: str) -> int:
    """Return the key for one purpose under a seed.

    Parameters
    ----------
    seed : int
        The seed.
    purpose : str
        What is drawn, such as "labels".

    Returns
    -------
    int
        63 bits of a hash, so that an int64 holds it.

    Examples
    --------
    >>> key(0, "labels") == key(0, "labels") != key(0, "ties")
    True
    """
    digest = hashlib.blake2b(f"{seed} {purpose}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1


@kernel
def uniform(key: int, round: int) -> float:
    """Return a number in [0, 1) that depends on the key and the round alone.

    Parameters
    ----------
    key : int
        What `key` or `subkey` returned.
    round : int
        The number of the draw.

    Returns
    -------
    float
        A multiple of 2**-53.

    Examples
    --------
    >>> 0.0 <= uniform(key(0, "labels"), 1) < 1.0
    True
    """
    # int(np.uint64(n)) is unbounded in Python and wraps around at 64 bits in compiled code; the
    # masks make the two agree
    z = (int(np.uint64(key)) + int(np.uint64(round)) * _GOLDEN) & _MASK
    z = ((z ^ (z >> 30)) * _MIX_1) & _MASK
    z = ((z ^ (z >> 27)) * _MIX_2) & _MASK
    z = z ^ (z >> 31)
    return (z >> 11) * 2.0**-53


@kernel
def subkey(key: int, number: int) -> int:
    """Return a key for one of many purposes of the same kind.

    Parameters
    ----------
    key : int
        The key of the kind.
    number : int
        Which of them, from 0 on.

    Returns
    -------
    int
        A key of 63 bits.
    """
    z = (int(np.uint64(key)) + int(np.uint64(number + 1)) * _GOLDEN) & _MASK
    z = ((z ^ (z >> 30)) * _MIX_1) & _MASK
    z = ((z ^ (z >> 27)) * _MIX_2) & _MASK
    z = z ^ (z >> 31)
    return z >> 1


def uniforms(key: int, first: int, n: int) -> Floats:
    """Return `uniform` of n rounds at once, the same bits.

    Parameters
    ----------
    key : int
        The key.
    first : int
        The first round.
    n : int
        The number of rounds.

    Returns
    -------
    array of float64
        One number for each round.

    Examples
    --------
    >>> bool(uniforms(7, 1, 3)[2] == uniform(7, 3))
    True
    """
    z = np.arange(first, first + n, dtype=np.uint64) * np.uint64(_GOLDEN) + np.uint64(key)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(_MIX_1)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(_MIX_2)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)).astype(np.float64) * 2.0**-53


def permutation(key: int, n: int) -> Starts:
    """Return the numbers from 0 to n - 1 in random order.

    Parameters
    ----------
    key : int
        The key.
    n : int
        How many numbers.

    Returns
    -------
    array of int64
        The numbers in the order of their `uniforms`.

    Examples
    --------
    >>> sorted(permutation(7, 4).tolist())
    [0, 1, 2, 3]
    """
    return np.argsort(uniforms(key, 0, n), kind="stable")


@kernel
def best(scores: Floats, u: float) -> int:
    """Return the label with the highest score.

    Parameters
    ----------
    scores : array of float64
        The score of each label.
    u : float
        A number in [0, 1) that breaks ties; 0 takes the first.

    Returns
    -------
    int
        The label number.

    Examples
    --------
    >>> best(np.array([1.0, 3.0, 3.0]), 0.0), best(np.array([1.0, 3.0, 3.0]), 0.5)
    (1, 2)
    """
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
    """Return the label that a uniform number draws.

    Parameters
    ----------
    probs : array of float64
        The probability of each label.
    u : float
        A number in [0, 1).

    Returns
    -------
    int
        The first label at which the sum of the probabilities exceeds u.

    Examples
    --------
    >>> draw(np.array([0.25, 0.75]), 0.2), draw(np.array([0.25, 0.75]), 0.3)
    (0, 1)
    """
    last, total = 0, 0.0
    for k in range(probs.shape[0]):
        if probs[k] > 0.0:
            last = k
            total += probs[k]
            if u < total:
                return k
    return last
