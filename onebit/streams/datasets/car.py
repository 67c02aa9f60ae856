"""CAR: cars rated by a small tree of decision tables."""

from __future__ import annotations

import functools
import itertools
from typing import NamedTuple

import numpy as np

from onebit.kernel.block import Block, noiseless_block
from onebit.kernel.rng import key
from onebit.streams import Order, Stream, blocks_in_order, columns_of, one_hot, stream

LABELS = ("unacc", "acc", "good", "vgood")
#: Each column's name and values; their order numbers the one-hot features.
COLUMNS = {
    "buying": ("vhigh", "high", "med", "low"),
    "maint": ("vhigh", "high", "med", "low"),
    "doors": ("2", "3", "4", "5more"),
    "persons": ("2", "4", "more"),
    "lug_boot": ("small", "med", "big"),
    "safety": ("low", "med", "high"),
}
_COLUMNS = columns_of(map(len, COLUMNS.values()))

# The decision tables, by value numbers.
PRICE = ("0011", "0111", "1123", "1233")  # [buying][maint]
COMFORT = (  # [doors][persons][lug_boot]
    ("000", "112", "012"),
    ("000", "112", "122"),
    ("000", "122", "122"),
    ("000", "122", "122"),
)
TECH = ("000", "012", "023")  # [comfort][safety]
CLASS = ("0000", "0011", "0113", "0123")  # [price][tech]

SOURCE = "UCI Car Evaluation, M. Bohanec 1988, doi:10.24432/C5JP48"


@stream(rows=1728, labels=4, features=21, source=SOURCE, licence="CC BY 4.0")
class Car(NamedTuple):
    """Cars, described by six categorical columns, rated unacc, acc, good or vgood.

    Every car that the columns allow, once. The label follows from four small
    decision tables (a hierarchical DEX model), which make the rows: nothing is
    downloaded. Columns are one-hot: buying, maint (vhigh, high, med, low),
    doors (2, 3, 4, 5more), persons (2, 4, more), lug_boot (small, med, big),
    safety (low, med, high), features numbered in this order; labels unacc, acc,
    good, vgood. The rows are sorted in the file, so they are shuffled by the
    seed; `order=file` keeps the order of the file.

    Reference: M. Bohanec and V. Rajkovic, "Knowledge acquisition and explanation
    for multi-attribute decision making", Avignon 1988.
    """

    order: Order = "shuffled"

    def open(self, seed: int) -> Stream:
        """Return the cars in the order asked for."""
        blocks = blocks_in_order(all_rounds, self.order, key(seed, "car order"))
        return Stream(LABELS, 21, 1728, blocks, columns=_COLUMNS)


@functools.cache
def all_rounds() -> Block:
    """Return all cars, in lexicographic order of their value numbers."""
    values = list(itertools.product(*(range(len(names)) for names in COLUMNS.values())))
    truths = np.array([car_label(*car) for car in values], np.int32)
    return noiseless_block(one_hot(np.array(values), _COLUMNS), truths)


def car_label(buying: int, maint: int, doors: int, persons: int, lug_boot: int, safety: int) -> int:
    """Return the label of a car, by the decision tables."""
    comfort = int(COMFORT[doors][persons][lug_boot])
    tech = int(TECH[comfort][safety])
    return int(CLASS[int(PRICE[buying][maint])][tech])
