"""The random generator, and argmax with random tie-breaking."""

from __future__ import annotations

import numba
import numpy as np

by_hand = numba.njit(nogil=True, error_model="numpy")


@by_hand
def draw(key, round):
    """Return the random number in [0, 1) of a round."""
    z = np.uint64(key) + np.uint64(round) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)) * 2.0**-53


@by_hand
def argmax(scores, key, round):
    """Return the index of the highest score; ties are broken at random."""
    top, ties = 0, 1
    for k in range(1, len(scores)):
        if scores[k] > scores[top]:
            top, ties = k, 1
        elif scores[k] == scores[top]:
            ties += 1
    if ties > 1:
        skip = int(draw(key, round) * ties)
        for k in range(top, len(scores)):
            if scores[k] == scores[top]:
                if skip == 0:
                    return k
                skip -= 1
    return top
