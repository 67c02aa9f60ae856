"""CONNECT4: all boards of Connect-4 after eight moves on which nobody can win at once."""

from __future__ import annotations

import functools
import zlib
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.kernel.block import Block, noiseless_block
from onebit.kernel.rng import key
from onebit.streams import Order, Stream, blocks_in_order, columns_of, one_hot, stream

LABELS = ("win", "loss", "draw")
ROWS, CELLS = 67_557, 42
#: A cell's value numbers: a stone of the first player, of the second, or none.
VALUES = ("x", "o", "b")
_COLUMNS = columns_of([len(VALUES)] * CELLS)

PLIES = 8
#: The order in which the search tries the columns: d, c, e, b, f, a, g.
TRIED = (3, 2, 4, 1, 5, 0, 6)
# Stones are bits of an int64: bit 7 * column + row, row 0 at the bottom. Bit 6 of
# each column stays empty, so that shifts never run into the next column.
_BOTTOM = sum(1 << 7 * column for column in range(7))
_BOARD = _BOTTOM * 0b111111
_CELL = np.array([7 * column + row for column in range(7) for row in range(6)])
#: The packed labels (0 loss, 1 draw, 2 win) in the order of `LABELS`.
_NUMBERS = np.array([LABELS.index(name) for name in ("loss", "draw", "win")], np.int32)

Bits = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

SOURCE = "made from the rules, as UCI Connect-4, J. Tromp 1995, doi:10.24432/C59P43"


@stream(rows=ROWS, labels=3, features=3 * CELLS, source=SOURCE, licence="CC BY 4.0")
class Connect4(NamedTuple):
    """Boards of Connect-4 after eight moves: does the first player win, lose or draw.

    Every position after eight moves, one of each left-right mirror pair, in which
    nobody has won and nobody could win with the next move. The boards are made
    from the rules; their labels, game-theoretic values for the first player, were
    solved once by search to the end of the game and come packed with the code.
    42 one-hot columns, the cells a1..a6, b1..b6, ..., g1..g6 (height from the
    bottom), each with the values x (first player), o, b (blank), features numbered
    in this order; labels win, loss, draw. Shuffled by the seed; `order=file` is the
    order of a depth-first search that tries the columns d, c, e, b, f, a, g, which
    the published file departs from at its row 2,015.

    Reference: J. Tromp, "Connect-4", UCI Machine Learning Repository 1995.
    """

    order: Order = "shuffled"

    def open(self, seed: int) -> Stream:
        """Return the boards in the order asked for."""
        blocks = blocks_in_order(all_rounds, self.order, key(seed, "connect4 order"))
        return Stream(LABELS, 3 * CELLS, ROWS, blocks, columns=_COLUMNS)


@functools.cache
def all_rounds() -> Block:
    """Return all boards in the order of the search, with their labels."""
    x, o = boards()
    values = np.full((ROWS, CELLS), VALUES.index("b"), np.int8)
    values[(x[:, None] >> _CELL & 1).astype(bool)] = VALUES.index("x")
    values[(o[:, None] >> _CELL & 1).astype(bool)] = VALUES.index("o")
    packed = files("onebit.streams.datasets").joinpath("data", "connect4.bin").read_bytes()
    return noiseless_block(one_hot(values, _COLUMNS), _NUMBERS[unpack(packed)])


def unpack(packed: bytes) -> npt.NDArray[np.uint8]:
    """Return the labels of all boards: 0 loss, 1 draw, 2 win; five a byte in base 3, deflated."""
    fives = np.frombuffer(zlib.decompress(packed), np.uint8)
    return (fives[:, None] // 3 ** np.arange(5) % 3).astype(np.uint8).reshape(-1)[:ROWS]


def boards() -> tuple[Bits, Bits]:
    """Return the stones of x and those of o, board by board.

    Works move by move on all positions at once. A board's first path in search
    order runs through the first paths to the positions on its way, so that
    keeping the first occurrence in each ply gives the order of the depth-first search.
    """
    mover = other = np.zeros(1, np.int64)
    for _ in range(PLIES):
        free = (mover | other) + _BOTTOM & _BOARD
        drops = np.stack([free & 0x7F << 7 * column for column in TRIED], axis=1)
        at, which = np.nonzero(drops)
        mover, other = other[at], mover[at] | drops[at, which]
        kept = first_met(mover, other)
        kept = kept[~has_four(other[kept])]
        mover, other = mover[kept], other[kept]
    taken = mover | other
    quiet = ~(could_win(mover, taken) | could_win(other, taken))
    return mover[quiet], other[quiet]


def first_met(mover: Bits, other: Bits) -> npt.NDArray[np.intp]:
    """Return the places of the positions that do not occur before, mirrored or not."""
    both = ((mover, other), (mirror(mover), mirror(other)))
    plain, mirrored = (a + (a | b) + _BOTTOM for a, b in both)  # unique for each position
    return np.sort(np.unique(np.minimum(plain, mirrored), return_index=True)[1])


def mirror(stones: Bits) -> Bits:
    """Swap left and right."""
    swapped = np.zeros_like(stones)
    for column in range(7):
        swapped |= (stones >> 7 * column & 0x7F) << 7 * (6 - column)
    return swapped


def could_win(stones: Bits, taken: Bits) -> Flags:
    """Return for which boards one more stone would make four in a row."""
    found = np.zeros(stones.shape, np.bool_)
    free = (taken + _BOTTOM) & _BOARD
    for column in range(7):
        found |= has_four(stones | free & 0x7F << 7 * column)
    return found


def has_four(stones: Bits) -> Flags:
    """Return which sets of stones have four in a row."""
    found = np.zeros(stones.shape, np.bool_)
    for step in (1, 6, 7, 8):
        pairs = stones & stones >> step
        found |= (pairs & pairs >> 2 * step) != 0
    return found
