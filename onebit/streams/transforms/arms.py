"""Arms: every hypothesis becomes a label, right when what it says is right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from onebit.errors import BadParameter
from onebit.kernel.block import Block, Multi, Truths, is_right
from onebit.kernel.rows import Floats, Ints, Starts
from onebit.kernel.verbs import entry
from onebit.streams import Stream, transform


@transform
class Arms(NamedTuple):
    """One label for each hypothesis that advises: to play it is to do what it says.

    Put advise before it. Several labels are right, all hypotheses that say a right
    label, or none. So learners of labels, such as exp3, learn which hypothesis to follow.
    """

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the stream whose labels are the hypotheses, numbered from 1."""
        if stream.row != "advice":
            raise BadParameter("Arms: the rows must be advice; put advise before it.")
        if stream.features < 2:
            raise BadParameter("Arms: there must be at least 2 hypotheses, got 1.")

        def blocks() -> Iterator[Block]:
            for block in stream.blocks():
                starts = np.zeros(block.rounds + 1, np.int64)
                labels = np.empty(block.rows.values.size, np.int32)
                find_right_hypotheses(block.rows.values, block.truths, starts, labels)
                yield block._replace(truths=Multi(starts, labels[: starts[-1]].copy()))

        labels = range(1, stream.features + 1)
        return stream._replace(labels=labels, blocks=blocks, row="features")


@entry
def find_right_hypotheses(advice: Floats, truths: Truths, starts: Starts, labels: Ints) -> None:
    """Write which hypotheses say a right label, round by round."""
    end = 0
    for n in range(advice.shape[0]):
        for i in range(advice.shape[1]):
            if is_right(truths, n, int(advice[n, i])):
                labels[end] = i
                end += 1
        starts[n + 1] = end
