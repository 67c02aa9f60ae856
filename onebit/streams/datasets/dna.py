"""DNA: splice junctions in stretches of sixty bases."""

from __future__ import annotations

import functools
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from onebit.kernel.block import Block, noiseless_block
from onebit.kernel.rng import key
from onebit.kernel.rows import DenseRows, as_sparse
from onebit.kernel.sizes import Column
from onebit.streams import Order, Stream, blocks_in_order, stream

LABELS = ("ei", "ie", "n")
ROWS, FEATURES = 3186, 180
#: Bytes of one row in the data file: its label, then its bits, eight a byte.
WIDTH = 1 + (FEATURES + 7) // 8
#: Three features for each of sixty bases: A, C and G set one each, T sets none.
_COLUMNS = tuple(Column(first, 3, 4) for first in range(0, FEATURES, 3))

SOURCE = "Statlog DNA, from UCI Splice-junction Gene Sequences, doi:10.24432/C5M888"


@stream(rows=ROWS, labels=3, features=FEATURES, source=SOURCE, licence="CC BY 4.0")
class Dna(NamedTuple):
    """Stretches of DNA whose middle is a splice junction of one kind, of the other, or none.

    Sixty bases around a possible junction, three 0/1 features each (A, C and G
    set one, T sets none). Labels: ei (exon to intron, a donor), ie (intron to
    exon, an acceptor), n (neither). 3,186 rows, the 2,000 training rows of the
    Statlog split first, packed into the package. They are shuffled by the seed;
    `order=file` keeps the order of the file.

    Reference: G. Towell, M. Noordewier and J. Shavlik 1991; D. Michie,
    D. Spiegelhalter and C. Taylor (eds.), "Machine Learning, Neural and
    Statistical Classification", 1994.
    """

    order: Order = "shuffled"

    def open(self, seed: int) -> Stream:
        """Return the stretches in the order asked for."""
        blocks = blocks_in_order(all_rounds, self.order, key(seed, "dna order"))
        return Stream(LABELS, FEATURES, ROWS, blocks, columns=_COLUMNS)


@functools.cache
def all_rounds() -> Block:
    """Return all stretches from the data file."""
    packed = files("onebit.streams.datasets").joinpath("data", "dna.bin").read_bytes()
    table = np.frombuffer(packed, np.uint8).reshape(ROWS, WIDTH)
    bits = np.unpackbits(table[:, 1:], axis=1, count=FEATURES)
    return noiseless_block(
        as_sparse(DenseRows(bits.astype(np.float64))), table[:, 0].astype(np.int32)
    )
