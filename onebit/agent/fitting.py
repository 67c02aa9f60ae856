"""Whether the numbers of a learner fit into memory, and what would fit if they do not."""

from __future__ import annotations

import contextlib
import math
from typing import Any

from onebit.errors import BadInput, TooLarge
from onebit.kernel.engine import Player
from onebit.kernel.memory import memory_in_bytes
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import size_in_bytes

#: Widths at which sizes are measured: three, for some arrays grow with the square of the width.
_FEW = (64, 128, 192)


def fitting_player(recipe: Any, sizes: Sizes, seed: int) -> Player:
    """Return a new player, if its numbers fit into memory; else raise TooLarge."""
    try:
        player: Player = recipe.new_player(sizes, seed)
        taken = _size(player)
    except TooLarge as error:
        sentence = str(error).removesuffix(".")
    else:
        if taken <= memory_in_bytes():
            return player
        sentence = (
            f"onebit: a learner's numbers must fit into memory, got {sizes.features:,} features and"
            f" {sizes.labels:,} labels, which take {taken / 1e9:,.1f} GB"
        )
    advice = " or ".join(what_fits(recipe, sizes, seed, memory_in_bytes()))
    raise TooLarge(f"{sentence}; {advice} would fit." if advice else f"{sentence}.")


def what_fits(recipe: Any, sizes: Sizes, seed: int, memory: float) -> list[str]:
    """Return what would fit into memory: shorter numbers, or so many features."""
    fits = []
    if recipe.params.get("dtype") == "float64":
        shorter = recipe._replace(params={**recipe.params, "dtype": "float32"})
        if _widest(shorter, sizes, seed, memory) >= sizes.features:
            fits.append("dtype=float32")
    widest = _widest(recipe, sizes, seed, memory)
    if 0 < widest < sizes.features:
        fits.append(f"features={widest}")
    return fits


def _widest(recipe: Any, sizes: Sizes, seed: int, memory: float) -> int:
    """Return the number of features with which a learner fits into memory; 0 if none does."""
    taken = []
    for features in _FEW:
        small = sizes._replace(features=features, columns=(), scale=False)
        with contextlib.suppress(BadInput):
            taken.append(_size(recipe.new_player(small, seed)))
    if len(taken) < len(_FEW):
        return 0
    # a quadratic through three points at equal distances
    step = _FEW[1] - _FEW[0]
    square = (taken[2] - 2 * taken[1] + taken[0]) / (2 * step * step)
    slope = (taken[1] - taken[0]) / step - square * (_FEW[0] + _FEW[1])
    constant = taken[0] - slope * _FEW[0] - square * _FEW[0] ** 2
    room = memory - constant
    if room <= 0 or (not slope and not square):
        return 0
    if not square:
        return int(room / slope)
    return int((math.sqrt(slope * slope + 4 * square * room) - slope) / (2 * square))


def _size(player: Player) -> int:
    return size_in_bytes(player.learner) + size_in_bytes(player.explorer)
