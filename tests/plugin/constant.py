"""A user's own stream, in a module of their own: the same row again and again."""

from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.block import noiseless_block
from onebit.kernel.rows import DenseRows
from onebit.naming.params import Whole
from onebit.streams import Stream, stream


@stream(rows=100, labels=2, features=1, source="made up", licence="none needed")
class Constant(NamedTuple):
    """The row (1,), with the same label every time."""

    label: Annotated[int, Whole(0, 1), "the label's number"] = 0

    def open(self, seed):
        block = noiseless_block(DenseRows(np.ones((100, 1))), np.full(100, self.label, np.int32))
        return Stream(["left", "right"], 1, 100, lambda: iter([block]))
