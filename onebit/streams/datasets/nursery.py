"""NURSERY: applications to nursery schools, ranked by a small tree of decision tables."""

from __future__ import annotations

import functools
import itertools
from typing import NamedTuple

import numpy as np

from onebit.kernel.block import Block, noiseless_block
from onebit.kernel.rng import key
from onebit.streams import Order, Stream, blocks_in_order, columns_of, one_hot, stream

LABELS = ("recommend", "very_recom", "priority", "spec_prior", "not_recom")
#: Each column's name and values; their order numbers the one-hot features.
COLUMNS = {
    "parents": ("usual", "pretentious", "great_pret"),
    "has_nurs": ("proper", "less_proper", "improper", "critical", "very_crit"),
    "form": ("complete", "completed", "incomplete", "foster"),
    "children": ("1", "2", "3", "more"),
    "housing": ("convenient", "less_conv", "critical"),
    "finance": ("convenient", "inconv"),
    "social": ("nonprob", "slightly_prob", "problematic"),
    "health": ("recommended", "priority", "not_recom"),
}
_COLUMNS = columns_of(map(len, COLUMNS.values()))

# The decision tables, by value numbers.
EMPLOY = ("01123", "11233", "22333")  # [parents][has_nurs]
STRUCTURE = ("0122", "1122", "1222", "2222")  # [form][children]
FINAN = (
    ("01", "11", "11"),
    ("11", "11", "22"),
    ("12", "22", "22"),
)  # [structure][housing][finance]
SOC_HEALTH = ("012", "012", "112")  # [social][health]
CLASS = (  # [soc_health][employ][finan]
    ("012", "112", "222", "223"),
    ("222", "222", "223", "233"),
    ("444", "444", "444", "444"),
)

SOURCE = "UCI Nursery, V. Rajkovic 1989, doi:10.24432/C5P88W"


@stream(rows=12960, labels=5, features=27, source=SOURCE, licence="CC BY 4.0")
class Nursery(NamedTuple):
    """Applications to nursery schools: eight categorical columns, ranked in five labels.

    Every application that the columns allow, once. The label follows from five
    small decision tables (a hierarchical DEX model), which make the rows:
    nothing is downloaded. Columns are one-hot: parents (usual, pretentious,
    great_pret), has_nurs (proper, less_proper, improper, critical, very_crit),
    form (complete, completed, incomplete, foster), children (1, 2, 3, more),
    housing (convenient, less_conv, critical), finance (convenient, inconv),
    social (nonprob, slightly_prob, problematic), health (recommended, priority,
    not_recom), features numbered in this order; labels recommend, very_recom,
    priority, spec_prior, not_recom. The rows are sorted in the file, so they are
    shuffled by the seed; `order=file` keeps the order of the file.

    Reference: M. Olave, V. Rajkovic and M. Bohanec, "An application for
    admission in public school systems", Expert Systems in Public Administration 1989.
    """

    order: Order = "shuffled"

    def open(self, seed: int) -> Stream:
        """Return the applications in the order asked for."""
        blocks = blocks_in_order(all_rounds, self.order, key(seed, "nursery order"))
        return Stream(LABELS, 27, 12960, blocks, columns=_COLUMNS)


@functools.cache
def all_rounds() -> Block:
    """Return all applications, in lexicographic order of their value numbers."""
    values = list(itertools.product(*(range(len(names)) for names in COLUMNS.values())))
    truths = np.array([application_label(*application) for application in values], np.int32)
    return noiseless_block(one_hot(np.array(values), _COLUMNS), truths)


def application_label(
    parents: int, has_nurs: int, form: int, children: int,
    housing: int, finance: int, social: int, health: int,
) -> int:  # fmt: skip
    """Return the label of an application, by the decision tables."""
    employ = int(EMPLOY[parents][has_nurs])
    structure = int(STRUCTURE[form][children])
    finan = int(FINAN[structure][housing][finance])
    return int(CLASS[int(SOC_HEALTH[social][health])][employ][finan])
