"""Whether the numbers of a learner fit into memory, and what would fit if they do not."""

from __future__ import annotations

import contextlib
import math
from typing import Any

from onebit.errors import BadInput, TooLarge
from onebit.kernel.engine import Player
from onebit.kernel.memory import held_in_bytes, memory_in_bytes, room_for
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import size_in_bytes

#: Widths at which sizes are measured: three, for some arrays grow with the square of the width.
_FEW = (64, 128, 192)


def fitting_player(recipe: Any, sizes: Sizes, seed: int, old: Player | None = None) -> Player:
    """Return a new player, if its numbers fit into memory; else raise TooLarge.

    They must fit beside those of other runs, and of an old player that they will be copied from.
    No array is made that does not fit.
    """
    copied = 0 if old is None else player_size(old)
    room = memory_in_bytes() - held_in_bytes() - copied
    try:
        with room_for(room):
            player: Player = recipe.new_player(sizes, seed)
        taken = player_size(player)
    except TooLarge as error:
        sentence = str(error).removesuffix(".")
    else:
        if taken <= room:
            return player
        sentence = (
            f"onebit: a learner's numbers must fit into memory, got {sizes.features:,} features and"
            f" {sizes.labels:,} labels, which take {taken / 1e9:,.1f} GB"
        )
    for size, whose in ((copied, "that they are copied from"), (held_in_bytes(), "of other runs")):
        if size:
            sentence += f", beside {size / 1e9:,.1f} GB {whose}"
    fits = what_fits(recipe, sizes, seed, memory_in_bytes() if copied else room)
    if copied and _widest(recipe, sizes, seed, memory_in_bytes()) >= sizes.features:
        fits.append(f"features={sizes.features} from the start")
    advice = " or ".join(fits)
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
            taken.append(player_size(recipe.new_player(small, seed)))
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


def player_size(player: Player) -> int:
    """Return how many bytes the arrays of a player take at most."""
    return size_in_bytes(player.learner) + size_in_bytes(player.explorer)
