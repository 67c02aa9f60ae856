"""A ring of remembered rounds: conditioned rows, the label played, and the bit."""

from __future__ import annotations

import functools
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.kernel.rows import Floats, Ints
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import SCRATCH, Axes, initial_state
from onebit.kernel.verbs import kernel
from onebit.learners.shared.conditioned import MOST_ENTRIES, Conditioned, Flags

#: The most rounds and the most entries that are remembered.
ROWS, ENTRIES = 20_000, 4_000_000
#: A snapshot may leave out what is remembered here.
Kept = functools.partial(Axes, optional=True)
# Positions in `ends`: the numbers of the oldest round and the next one, and of the next entry.
OLDEST, NEXT, WRITTEN = range(3)
# Bits of `kinds`.
HAS_NUMBERS, IN_TABLE, CORRECT = 1, 2, 4


class Ring(NamedTuple):
    """Rounds by number, modulo the number of places; their entries one after another.

    A snapshot may leave it out: an agent goes on without it, and replays only what comes then.
    """

    indices: Annotated[Ints, Kept("entries", dtype="int32", within="[0, 4e18]")]
    values: Annotated[Floats, Kept("entries", dtype="float32", within="[-1e12, 1e12]")]
    numeric: Annotated[Flags, Kept("entries", dtype="int8", within="[0, 1]")]
    starts: Annotated[npt.NDArray[np.int64], Kept("rows", dtype="int64", within="[0, 4e18]")]
    lengths: Annotated[Ints, Kept("rows", dtype="int32", within="[0, 4e18]")]
    scales: Annotated[Floats, Kept("rows", within="[0, inf)")]
    kinds: Annotated[Flags, Kept("rows", dtype="int8", within="[0, 7]")]
    labels: Annotated[npt.NDArray[np.int64], Kept("rows", dtype="int64", within="[0, 4e18]")]
    ends: Annotated[npt.NDArray[np.int64], Kept(3, dtype="int64", within="[0, 4e18]")]
    row_indices: Annotated[Ints, Axes("row", dtype="int32", role=SCRATCH)]
    row_values: Annotated[Floats, Axes("row", role=SCRATCH)]
    row_numeric: Annotated[Flags, Axes("row", dtype="int8", role=SCRATCH)]
    columns: int = 0
    most_labels: int = 0

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Ring:
        """Return an empty ring for rows of at most so many features, and a bias."""
        row = min(ENTRIES, sizes.features, MOST_ENTRIES) + 1
        lengths = {"rows": ROWS, "entries": min(ENTRIES, ROWS * row), "row": row}
        state = initial_state(cls, sizes, lengths)
        return state._replace(columns=params["most_columns"], most_labels=sizes.labels)

    def is_sound(self) -> bool:
        """Return whether every remembered round is within bounds."""
        oldest, following, written = self.ends.tolist()
        rows = len(self.starts)
        if not 0 <= oldest <= following <= oldest + rows:
            return False
        places = np.arange(oldest, following) % rows
        starts, lengths = self.starts[places], self.lengths[places].astype(np.int64)
        ends = np.append(starts[1:], written)[: len(starts)]
        return bool(
            (starts + lengths == ends).all()
            and (lengths <= len(self.row_indices)).all()
            and (written - starts <= len(self.indices)).all()
            and (self.indices < self.columns).all()
            and (self.labels < self.most_labels).all()
        )


@kernel
def remembered_rounds(ring: Ring) -> int:
    """Return how many rounds can be drawn."""
    return int(ring.ends[NEXT] - ring.ends[OLDEST])


@kernel
def store(ring: Ring, x: Conditioned, label: int, correct: bool) -> None:
    """Remember a round in place of the oldest; not if its row has more entries than there are."""
    entries, n = ring.indices.shape[0], x.indices.shape[0]
    if n > ring.row_indices.shape[0]:
        return
    oldest, following, written = ring.ends[OLDEST], ring.ends[NEXT], ring.ends[WRITTEN]
    rows = ring.starts.shape[0]
    while oldest < following and (
        following - oldest >= rows or written + n - ring.starts[oldest % rows] > entries
    ):
        oldest += 1
    at = following % rows
    ring.starts[at], ring.lengths[at], ring.scales[at] = written, n, x.scale
    kind = (HAS_NUMBERS if x.has_numbers else 0) + (IN_TABLE if x.in_table else 0)
    ring.kinds[at] = kind + (CORRECT if correct else 0)
    ring.labels[at] = label
    for e in range(n):
        place = (written + e) % entries
        ring.indices[place], ring.values[place] = x.indices[e], x.values[e]
        ring.numeric[place] = x.numeric[e]
    ring.ends[OLDEST], ring.ends[NEXT], ring.ends[WRITTEN] = oldest, following + 1, written + n


@kernel
def recall(ring: Ring, number: int) -> Conditioned:
    """Return a copy, in scratch arrays, of the row of a remembered round."""
    entries = ring.indices.shape[0]
    at = number % ring.starts.shape[0]
    n = int(ring.lengths[at])
    place = ring.starts[at] % entries
    for e in range(n):
        ring.row_indices[e], ring.row_values[e] = ring.indices[place], ring.values[place]
        ring.row_numeric[e] = ring.numeric[place]
        place += 1
        if place == entries:
            place = 0
    kind = ring.kinds[at]
    return Conditioned(
        ring.row_indices[:n],
        ring.row_values[:n],
        ring.row_numeric[:n],
        ring.scales[at],
        kind & HAS_NUMBERS != 0,
        kind & IN_TABLE != 0,
    )
