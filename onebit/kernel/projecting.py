"""Random projections of rows by signs, which a key and a feature decide."""

from __future__ import annotations

import math

from onebit.kernel.rng import uniform
from onebit.kernel.rows import Floats
from onebit.kernel.verbs import kernel

#: Signs from one random number.
_SIGNS = 32


@kernel
def add_signed(feature: int, value: float, key: int, out: Floats) -> None:
    """Add a feature's value to every dimension, with the sign that the feature has there."""
    draws = (out.shape[0] + _SIGNS - 1) // _SIGNS
    for draw in range(draws):
        bits = int(uniform(key, feature * draws + draw) * 2.0**_SIGNS)
        first = draw * _SIGNS
        for c in range(first, min(first + _SIGNS, out.shape[0])):
            out[c] += value if (bits >> (c - first)) & 1 else -value


@kernel
def cut_to_unit(row: Floats) -> None:
    """Scale a row of norm above 1 down to norm 1."""
    total = 0.0
    for c in range(row.shape[0]):
        total += row[c] * row[c]
    if total > 1.0:
        norm = math.sqrt(total)
        for c in range(row.shape[0]):
            row[c] /= norm
