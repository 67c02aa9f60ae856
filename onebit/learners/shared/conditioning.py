"""Conditioning: rows of any scale become rows of even size, with no look ahead.

Numbers are centred and divided by their deviation, rare features count more, norms are made even.
Statistics include the current row, and are stored by `remember_row` when its feedback is learned:
making a conditioned row changes nothing. Each feature has a column from its first row on;
when all columns are taken, features share them by a hash.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.kernel.rng import subkey
from onebit.kernel.rows import Floats, Ints, Row, feature
from onebit.kernel.sizes import NUMERIC, Sizes
from onebit.kernel.state import CONSTANT, COUNTS, SCRATCH, Axes, initial_state
from onebit.kernel.verbs import kernel
from onebit.learners.shared.conditioned import MOST_ENTRIES, Conditioned, Flags

#: Features beyond this share their statistics by a hash.
MOST_FEATURES = 2**20
#: A table is where rows have at least this share of the features seen; a number is common where
#: at least this share of rows has it.
COMMON = 0.1
#: Centred numbers are clipped to this many deviations.
CLIP = 3.0
#: The value of the bias entry.
BIAS = 0.3
#: The scale of rows with numbers is their mean norm over this many.
SCALE_ROWS = 1000.0
#: The least mean squared norm: numbers that never varied must not blow up one that does.
LEAST_SQUARE = 0.01
#: The key of the hash by which features share places.
_KEY = 0x5EED
#: The least root mean square that is divided by.
_TINY = 1e-150

# Positions in `totals`.
ROUNDS, NONZEROS, SEEN, NUMBERS, COLUMNS, NORMS, NORM_ROWS = range(7)
# Positions in `made`.
ENTRIES, SCALE, NORM, HAS_NUMBERS, IN_TABLE = range(5)


class Conditioning(NamedTuple):
    """What is known of the features, and the row made last."""

    counts: Annotated[Floats, Axes("stored", within=COUNTS)]
    sums: Annotated[Floats, Axes("stored")]
    squares: Annotated[Floats, Axes("stored", within="[0, inf)")]
    first_values: Annotated[Floats, Axes("stored")]
    varies: Annotated[Flags, Axes("stored", dtype="int8", within="[0, 1]")]
    columns: Annotated[Ints, Axes("stored", dtype="int32", within="[0, 4e18]")]
    numbers: Annotated[Ints, Axes("stored", dtype="int32", within="[0, 4e18]")]
    totals: Annotated[Floats, Axes(7, within="[0, inf)")]
    declared: Annotated[Flags, Axes("stored", dtype="int8", role=CONSTANT)]
    here: Annotated[Flags, Axes("stored", dtype="int8", role=SCRATCH)]
    indices: Annotated[Ints, Axes("entries", dtype="int32", role=SCRATCH)]
    values: Annotated[Floats, Axes("entries", role=SCRATCH)]
    numeric: Annotated[Flags, Axes("entries", dtype="int8", role=SCRATCH)]
    made: Annotated[Floats, Axes(5, role=SCRATCH)]
    features: int = 0
    most_columns: int = 0
    finds_numbers: bool = True
    declared_numbers: int = 0

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Conditioning:
        """Return the first state; `params` has the number of columns, the bias included.

        Where columns are declared, the numbers are known: other features are words or flags.
        """
        lengths = {
            "stored": min(sizes.features, MOST_FEATURES),
            "entries": min(sizes.features, MOST_ENTRIES) + 1,
        }
        state = initial_state(cls, sizes, lengths)
        state.totals[COLUMNS] = 1.0  # the bias
        columns = sizes.columns if sizes.features <= MOST_FEATURES else ()
        for first, _, values in columns:
            if values == NUMERIC:
                state.declared[first] = 1
                state.numbers[int(state.totals[NUMBERS])] = first
                state.totals[NUMBERS] += 1.0
        return state._replace(
            features=sizes.features,
            most_columns=params["most_columns"],
            finds_numbers=len(columns) == 0,
            declared_numbers=int(state.totals[NUMBERS]),
        )

    def is_sound(self) -> bool:
        """Return whether lists and columns are within bounds."""
        stored, totals = len(self.counts), self.totals
        listed = np.count_nonzero((self.varies != 0) | (self.declared != 0))
        return bool(
            totals[COLUMNS] in range(1, self.most_columns + 1)  # a whole number
            and totals[NUMBERS] == listed
            and (self.columns < totals[COLUMNS]).all()
            and (self.numbers < stored).all()
            and (self.counts <= totals[ROUNDS]).all()
        )


def column_statistics(state: Conditioning) -> dict[str, Any]:
    """Return what is known of rows, as plain data: their kind, which features are numbers."""
    totals = state.totals
    table = totals[NONZEROS] >= COMMON * totals[SEEN] * max(totals[ROUNDS], 1.0)
    listed = state.numbers[: int(totals[NUMBERS])]
    common = state.counts[listed] >= COMMON * totals[ROUNDS]
    used = listed[(state.declared[listed] != 0) | (common & table & state.finds_numbers)]
    return {
        "kind": "table" if table else "text",
        "features_seen": int(totals[SEEN]),
        "numbers": sorted(used.tolist())[:100],
        "numbers_in_all": len(used),
    }


@kernel
def place_of(state: Conditioning, feature: int) -> int:
    """Return where a feature's statistics are."""
    if state.features <= MOST_FEATURES:
        return feature
    return np.int64(subkey(_KEY, feature)) % MOST_FEATURES  # type: ignore[return-value]


@kernel
def new_column(state: Conditioning, place: int, taken: int) -> int:
    """Return the column for a feature that has none, when so many are taken."""
    if taken < state.most_columns:
        return taken
    return 1 + np.int64(subkey(_KEY, place)) % max(state.most_columns - 1, 1)  # type: ignore[return-value]


@kernel
def centred(state: Conditioning, j: int, value: float, t: float) -> float:
    """Return a number in deviations from its mean over t rows, this one included."""
    total = state.squares[j] + value * value
    mean = (state.sums[j] + value) / t
    variance = max(total / t - mean * mean, 0.0)
    deviation = math.sqrt(variance * (t / (t + 1.0)) + 1e-8 + 1e-4 * (mean * mean) + total / t / t)
    return min(max((value - mean) / deviation, -CLIP), CLIP)  # type: ignore[no-any-return]


@kernel
def evened(state: Conditioning, j: int, value: float, t: float, table: bool) -> float:
    """Return the value of an entry that is no centred number."""
    count = state.counts[j] + 1.0
    rarity = math.log((t + 1.0) / (count + 0.5))
    size = math.sqrt((state.squares[j] + value * value) / count) if table else 1.0
    return rarity * value / max(size, _TINY)


@kernel
def varies_now(state: Conditioning, j: int, value: float) -> bool:
    """Return whether a feature has had two values that are not zero, this one included."""
    if state.varies[j] != 0:
        return True
    return state.counts[j] > 0.0 and state.first_values[j] != value  # type: ignore[no-any-return]


@kernel
def row_is_of_table(state: Conditioning, x: Row, t: float) -> bool:
    """Return whether rows have a fair share of the features seen so far."""
    nonzeros, seen = state.totals[NONZEROS], state.totals[SEEN]
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            nonzeros += 1.0
            if state.counts[place_of(state, feature(x, n))] == 0.0:
                seen += 1.0
    return nonzeros / t >= COMMON * seen  # type: ignore[no-any-return]


@kernel
def make_row(state: Conditioning, x: Row) -> None:
    """Condition a row, in scratch arrays."""
    t = state.totals[ROUNDS] + 1.0
    table = row_is_of_table(state, x, t)
    finds = table and state.finds_numbers
    state.indices[0], state.values[0], state.numeric[0] = 0, BIAS, 0
    e, taken, norm, numbers = 1, int(state.totals[COLUMNS]), 0.0, False
    for n in range(x.values.shape[0]):
        value = x.values[n]
        if value != 0.0 and e < state.indices.shape[0]:
            j = place_of(state, feature(x, n))
            common = state.counts[j] + 1.0 >= COMMON * t
            number = finds and common and varies_now(state, j, value)
            if state.declared[j] != 0 or number:
                made = centred(state, j, value, t)
                state.numeric[e] = 1
                numbers = True
            else:
                made = evened(state, j, value, t, table)
                state.numeric[e] = 0
            column = state.columns[j]
            if column == 0:
                column = new_column(state, j, taken)
                taken += 1
            state.here[j] = 1
            state.indices[e], state.values[e] = column, made
            norm += made * made
            e += 1
    # declared ones are listed first; in text no others are used, and they may be very many
    for i in range(int(state.totals[NUMBERS]) if finds else state.declared_numbers):
        j = state.numbers[i]
        used = state.declared[j] != 0 or (finds and state.counts[j] >= COMMON * t)
        if used and state.here[j] == 0 and e < state.indices.shape[0]:
            made = centred(state, j, 0.0, t)
            column = state.columns[j]
            if column == 0:
                column = new_column(state, j, taken)
                taken += 1
            state.indices[e], state.values[e], state.numeric[e] = column, made, 1
            numbers = True
            norm += made * made
            e += 1
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            state.here[place_of(state, feature(x, n))] = 0
    state.made[ENTRIES], state.made[NORM] = e, norm
    state.made[HAS_NUMBERS] = 1.0 if numbers else 0.0
    state.made[IN_TABLE] = 1.0 if table else 0.0
    scale_row(state)


@kernel
def scale_row(state: Conditioning) -> None:
    """Scale the row made last: by the mean norm if it has numbers, else to norm 1."""
    square = state.made[NORM]
    if state.made[HAS_NUMBERS] != 0.0:
        if state.totals[NORM_ROWS] < SCALE_ROWS:
            square = (state.totals[NORMS] + square) / (state.totals[NORM_ROWS] + 1.0)
        else:
            square = state.totals[NORMS] / state.totals[NORM_ROWS]
        square = max(square, LEAST_SQUARE)
    scale = 1.0 / math.sqrt(square) if square > _TINY else 0.0
    for e in range(1, int(state.made[ENTRIES])):
        # as exact as a stored row
        state.values[e] = np.float64(np.float32(state.values[e] * scale))
    state.made[SCALE] = scale


@kernel
def made_row(state: Conditioning) -> Conditioned:
    """Return a view of the row made last."""
    n = int(state.made[ENTRIES])
    return Conditioned(
        state.indices[:n],
        state.values[:n],
        state.numeric[:n],
        state.made[SCALE],
        state.made[HAS_NUMBERS] != 0.0,
        state.made[IN_TABLE] != 0.0,
    )


@kernel
def remember_row(state: Conditioning, x: Row) -> None:
    """Count a row whose feedback came; it was made just before."""
    totals = state.totals
    totals[ROUNDS] += 1.0
    for n in range(x.values.shape[0]):
        value = x.values[n]
        if value != 0.0:
            j = place_of(state, feature(x, n))
            totals[NONZEROS] += 1.0
            give_column(state, j)
            if state.counts[j] == 0.0:
                totals[SEEN] += 1.0
                state.first_values[j] = value
            elif state.varies[j] == 0 and state.first_values[j] != value:
                state.varies[j] = 1
                if state.declared[j] == 0:
                    state.numbers[int(totals[NUMBERS])] = j
                    totals[NUMBERS] += 1.0
            state.counts[j] = min(state.counts[j] + 1.0, totals[ROUNDS])
            state.sums[j] += value
            state.squares[j] += value * value
    for i in range(state.declared_numbers):  # others have one since they were first seen
        give_column(state, state.numbers[i])
    if state.made[HAS_NUMBERS] != 0.0 and totals[NORM_ROWS] < SCALE_ROWS:
        totals[NORMS] += state.made[NORM]
        totals[NORM_ROWS] += 1.0


@kernel
def give_column(state: Conditioning, j: int) -> None:
    """Give a feature its column, as `make_row` did for the row at hand."""
    if state.columns[j] == 0:
        taken = int(state.totals[COLUMNS])
        state.columns[j] = new_column(state, j, taken)
        state.totals[COLUMNS] = min(taken + 1, state.most_columns)
