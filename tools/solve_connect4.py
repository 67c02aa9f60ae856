"""Solve the 67,557 Connect-4 boards: win, draw or loss for the first player.

    python tools/solve_connect4.py connect4.bin --threads 2

Every board is searched to the end of the game, so the labels are exact. The state is saved every
few hundred boards next to the output; a killed run goes on from there. `solve` solves one board.

The search asks yes/no questions only: "is this worth at least a draw (a win) to the player to
move?". It uses bitboards (see `onebit/streams/datasets/connect4.py`), one table of results for all
boards and threads, and two sound shortcuts, `_o_follows` and `_x_follows`, that settle most
positions long before the board is full, by pairing replies: claimeven and baseinverse in V. Allis,
A Knowledge-based Approach of Connect-Four, 1988.
"""

import argparse
import time
import zlib
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache
from pathlib import Path

import numpy as np
from numba import njit
from numpy.typing import NDArray

from onebit.streams.datasets.connect4 import ROWS, Bits, boards, unpack

LOSS, DRAW, WIN = 0, 1, 2  # as seen by the first player

Labels = NDArray[np.uint8]
_BOTTOM = sum(1 << 7 * column for column in range(7))
_BOARD = _BOTTOM * 0b111111
_LOW = _BOTTOM * 0b010101  # first, third and fifth row
_HIGH = _BOTTOM * 0b101010  # second, fourth and sixth row

_KEY = (1 << 49) - 1  # low bits of a table entry: the position
_MULTIPLIER = -7046029254386353131  # odd, about 2**64 / golden ratio: spreads keys
_TABLE_PLIES = 36  # positions from this ply on are not worth storing
_PEEK_PLIES = 28  # before this ply, look all replies up before searching one
_SCRATCH = 8 * 43  # eight move slots a ply; slot 0 counts nodes
_UNKNOWN = 255
_CHUNK = 64
_SAVE_EVERY = 8  # chunks


def _lines_through() -> NDArray[np.int64]:
    """Count, for each bit, the lines of four that run through its cell."""
    count = np.zeros(64, np.int64)
    for column in range(7):
        for row in range(6):
            for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(column + k * right, row + k * up) for k in range(4)]
                if all(c < 7 and 0 <= r < 6 for c, r in line):
                    count[[7 * c + r for c, r in line]] += 1
    return count


_LINES = _lines_through()


@njit(inline="always")
def _count(bits: int) -> int:
    """Count the bits set."""
    bits = bits - (bits >> 1 & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
    return bits * 0x0101010101010101 >> 56 & 0x7F


@njit(inline="always")
def _has_four(stones: int) -> bool:
    """Tell whether four stones stand in a row."""
    found = 0
    for step in (1, 6, 7, 8):
        pairs = stones & stones >> step
        found |= pairs & pairs >> 2 * step
    return found != 0


@njit(inline="always")
def _threats(stones: int, taken: int) -> int:
    """Return the empty cells that would complete four in a row."""
    cells = stones << 1 & stones << 2 & stones << 3
    for step in (6, 7, 8):
        before = stones << step & stones << 2 * step
        after = stones >> step & stones >> 2 * step
        cells |= before & (stones << 3 * step | stones >> step)
        cells |= after & (stones >> 3 * step | stones << step)
    return cells & (_BOARD ^ taken)


@njit(inline="always")
def _mirror(key: int) -> int:
    """Swap left and right."""
    return (
        (key & 0x7F) << 42
        | (key & 0x7F << 7) << 28
        | (key & 0x7F << 14) << 14
        | key & 0x7F << 21
        | key >> 14 & 0x7F << 14
        | key >> 28 & 0x7F << 7
        | key >> 42
    )


@njit(inline="always")
def _position_key(mover: int, taken: int) -> int:
    """Return one 49-bit number for a position and its mirror."""
    key = mover + taken + _BOTTOM  # stones of the mover, and a bit atop each column
    return min(key, _mirror(key))


@njit(inline="always")
def _slot(key: int, table: Bits) -> int:
    """Return where a position's pair of table entries starts."""
    return key * _MULTIPLIER >> 20 & len(table) - 2


@njit(inline="always")
def _o_follows(x: int, o: int, empty: int, free: int, threats: int) -> int:
    """Bound the value with x to move if o always replies in a fixed way.

    Where the next cell of a column is low, o answers each stone of x by one on
    top. The columns whose next cell is high are even in number; o pairs them
    and answers the first stone in one of a pair by one in the other. So o always
    has a reply, and x gets no high cell but next ones, nor cells above a threat
    of o that o is sure to get.

    Returns -1 if o wins so, 0 if x cannot win, 1 if nothing is known.
    """
    sure = threats & _HIGH & ~free
    reach = empty & _LOW & ~(sure << 1 | sure << 3) | free & _HIGH
    if _has_four(x | reach):
        return 1
    if sure or _has_four(o | empty & _HIGH & ~free):
        return -1
    return 0


@njit(inline="always")
def _x_follows(x: int, o: int, empty: int, free: int, threats: int) -> bool:
    """Tell whether, with o to move, x wins by always replying in a fixed way.

    Now the columns whose next cell is high are odd in number. One of them must
    hold a low cell where x threatens to win. There, as in columns whose next
    cell is low, x answers on top; the others are paired as in `_o_follows`.
    Once all else is full, o has to play below the threat, if not before.
    """
    odd = free & _HIGH
    targets = threats & (odd << 1 | odd << 3) & _LOW
    while targets:
        target = targets & -targets
        targets ^= target
        column = 0x7F << _count(target - 1) // 7 * 7
        sure = threats & _HIGH & ~free & ~column
        reach = (empty & _LOW & ~(sure << 1 | sure << 3) | odd) & ~column
        reach |= target - (odd & column) & _HIGH  # cells of o below the target
        if not _has_four(o | reach):
            return True
    return False


@njit()
def _at_least(mover: int, other: int, ply: int, goal: int, table: Bits, scratch: Bits) -> bool:
    """Tell whether the position is worth `goal` or more to the mover.

    A win is worth 1, a draw 0, a loss -1; `goal` is 0 or 1. The mover must not
    be able to win at once.
    """
    swapped = False  # whether forced moves have changed sides
    while True:
        taken = mover | other
        free = taken + _BOTTOM & _BOARD
        danger = _threats(other, taken)
        forced = free & danger
        if forced == 0:
            break
        if forced & forced - 1 or forced << 1 & danger:
            return swapped
        mover, other = other, mover | forced
        ply += 1
        goal = 1 - goal
        swapped = not swapped

    scratch[0] += 1
    if free == 0:
        return (goal == 0) != swapped
    moves = free & ~(danger >> 1)
    if moves == 0:
        return swapped
    empty = _BOARD ^ taken
    if not _has_four((mover if goal == 1 else other) | empty):
        return (goal == 0) != swapped

    low, high = -1, 1
    key = slot = 0
    if ply < _TABLE_PLIES:
        key = _position_key(mover, taken)
        slot = _slot(key, table)
        for at in range(slot, slot + 2):
            entry = table[at]
            if entry & _KEY == key:
                low, high = (entry >> 49 & 3) - 1, (entry >> 51 & 3) - 1
                if low >= goal:
                    return not swapped
                if high < goal:
                    return swapped

    started = scratch[0]
    first = last = 8 * ply
    won = False
    while moves:
        move = moves & -moves
        moves ^= move
        stones = mover | move
        threats = _threats(stones, taken | move)
        next_free = free ^ move | move << 1 & _BOARD
        now = threats & next_free
        if now & now - 1 or now << 1 & threats:
            won = True  # the other side cannot stop two threats
            break
        if ply & 1:
            bound = _o_follows(other, stones, empty ^ move, next_free, threats)
            if bound <= -goal:
                won = True
                break
        elif _x_follows(stones, other, empty ^ move, next_free, threats):
            won = True
            break
        cell = _count(move - 1)
        rank = (_count(threats) << 6 | _LINES[cell]) << 6 | cell
        at = last
        while at > first and scratch[at - 1] < rank:
            scratch[at] = scratch[at - 1]
            at -= 1
        scratch[at] = rank
        last += 1

    if not won and ply < _PEEK_PLIES:
        for at in range(first, last):
            reply_key = _position_key(other, taken | 1 << (scratch[at] & 63))
            reply_slot = _slot(reply_key, table)
            for entry in table[reply_slot], table[reply_slot + 1]:
                if entry & _KEY == reply_key and (entry >> 51 & 3) - 1 <= -goal:
                    won = True
    if not won:
        for at in range(first, last):
            stones = mover | 1 << (scratch[at] & 63)
            if not _at_least(other, stones, ply + 1, 1 - goal, table, scratch):
                won = True
                break

    if ply < _TABLE_PLIES:
        if won:
            low = max(low, goal)
        else:
            high = min(high, goal - 1)
        effort, work = 0, scratch[0] - started
        while work > 0:
            work >>= 1
            effort += 1
        entry = key | low + 1 << 49 | high + 1 << 51 | effort << 53
        # One word an entry, so threads never see half of one. The first of a
        # pair keeps what took more work, the second what came last.
        old = table[slot]
        if old & _KEY == key:
            table[slot] = entry
        elif effort >= old >> 53:
            table[slot] = entry
            table[slot + 1] = old
        else:
            table[slot + 1] = entry
    return won != swapped


@njit(nogil=True)
def _solve_chunk(x: Bits, o: Bits, plies: Bits, table: Bits, labels: Labels) -> int:
    """Label positions with x to move; return the number of nodes searched."""
    scratch = np.zeros(_SCRATCH, np.int64)
    for i in range(x.shape[0]):
        if _at_least(x[i], o[i], plies[i], 1, table, scratch):
            labels[i] = WIN
        elif _at_least(x[i], o[i], plies[i], 0, table, scratch):
            labels[i] = DRAW
        else:
            labels[i] = LOSS
    return int(scratch[0])


@cache
def _small_table() -> Bits:
    """Return the table that calls of `solve` share."""
    return np.zeros(1 << 22, np.int64)


def solve(x: int, o: int) -> int:
    """Return 2, 1 or 0: the first player, to move, wins, draws or loses.

    A board is given by its stones, as `boards` makes them. The mover must not be
    able to win at once.
    """
    label = np.empty(1, np.uint8)
    ply = np.array([(x | o).bit_count()])
    _solve_chunk(np.array([x]), np.array([o]), ply, _small_table(), label)
    return int(label[0])


def pack(labels: Labels) -> bytes:
    """Pack labels, five a byte in base 3, and deflate them."""
    digits = np.zeros((-(-len(labels) // 5), 5), np.uint8)
    digits.reshape(-1)[: len(labels)] = labels
    return zlib.compress((digits @ 3 ** np.arange(5)).astype(np.uint8).tobytes(), 9)


class _Run:
    """Labels so far, with the nodes and seconds they took, kept in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.labels = np.full(ROWS, _UNKNOWN, np.uint8)
        self.nodes = 0
        self.seconds = 0.0
        if path.exists():
            with np.load(path) as saved:
                self.labels = saved["labels"]
                self.nodes = int(saved["nodes"])
                self.seconds = float(saved["seconds"])

    def save(self) -> None:
        """Replace the file in one step."""
        part = self.path.with_suffix(".part")
        with part.open("wb") as file:
            np.savez(file, labels=self.labels, nodes=self.nodes, seconds=self.seconds)
        part.replace(self.path)


def solve_all(checkpoint: Path, threads: int = 1, table_bits: int = 27) -> _Run:
    """Solve what the checkpoint lacks, with a table of `2**table_bits` words."""
    run = _Run(checkpoint)
    x, o = boards()
    plies = np.full(ROWS, 8)
    table = np.zeros(1 << table_bits, np.int64)
    todo = np.flatnonzero(run.labels == _UNKNOWN)
    before, start, done = run.seconds, time.monotonic(), 0

    def work(rows: NDArray[np.intp]) -> tuple[NDArray[np.intp], Labels, int]:
        labels = np.empty(len(rows), np.uint8)
        return rows, labels, _solve_chunk(x[rows], o[rows], plies[rows], table, labels)

    with ThreadPoolExecutor(threads) as pool:
        chunks = [todo[at : at + _CHUNK] for at in range(0, len(todo), _CHUNK)]
        jobs = [pool.submit(work, chunk) for chunk in chunks]
        try:
            for finished, job in enumerate(as_completed(jobs), 1):
                rows, labels, nodes = job.result()
                run.labels[rows] = labels
                run.nodes += nodes
                done += len(rows)
                spent = time.monotonic() - start
                run.seconds = before + spent
                if finished % _SAVE_EVERY == 0 or done == len(todo):
                    run.save()
                    left = spent / done * (len(todo) - done)
                    print(
                        f"{ROWS - len(todo) + done}/{ROWS} boards, "
                        f"{run.nodes:,} nodes, {run.seconds:.0f} s, {left:.0f} s left",
                        flush=True,
                    )
        finally:
            for job in jobs:
                job.cancel()
    return run


def main() -> None:
    """Solve all boards and write the labels and a log."""
    parser = argparse.ArgumentParser(description="Solve the Connect-4 boards.")
    parser.add_argument("output", type=Path, help="file for the packed labels")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--table-bits", type=int, default=27, help="table of 2**N words of 8 bytes")
    args = parser.parse_args()
    checkpoint = args.output.with_suffix(".npz")
    run = solve_all(checkpoint, args.threads, args.table_bits)
    data = pack(run.labels)
    assert (unpack(data) == run.labels).all()
    part = args.output.with_suffix(".part")
    part.write_bytes(data)
    part.replace(args.output)
    loss, draw, win = np.bincount(run.labels, minlength=3)
    log = (
        f"boards {ROWS}: win {win}, draw {draw}, loss {loss}\n"
        f"seconds {run.seconds:.0f}, threads {args.threads}, nodes {run.nodes}\n"
        f"packed {len(data)} bytes\n"
    )
    args.output.with_suffix(".log").write_text(log)
    print(log, end="")


if __name__ == "__main__":
    main()
