"""A block of rounds: rows, what is right for each, and how clearly it will be heard.

Loops take blocks of about 10,000 rounds: long enough to forget Python, short
enough for progress, Ctrl-C and checkpoints in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from onebit.kernel import rows as rows_of
from onebit.kernel.rows import Ints, Rows, Starts, concatenate_runs, first_rows, take_rows
from onebit.kernel.verbs import implements, verb

#: Rounds in a block.
BLOCK = 10_000
#: The signal of a round whose feedback is lost.
LOST = -1


class Single(NamedTuple):
    """One right label for each round."""

    labels: Ints


class Multi(NamedTuple):
    """Any number of right labels, also none: round i has labels[starts[i]:starts[i + 1]]."""

    starts: Starts
    labels: Ints


Truths = Single | Multi


class Block(NamedTuple):
    """Some rounds. A signal is 0 for clear, LOST, or s > 0 for a lie that is s labels off."""

    rows: Rows
    truths: Truths
    signals: Ints

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return len(self.signals)

    def head(self, n: int) -> Block:
        """Return the first n rounds."""
        truths = self.truths
        if isinstance(truths, Single):
            truths = Single(truths.labels[:n])
        else:
            truths = Multi(truths.starts[: n + 1], truths.labels[: truths.starts[n]])
        return Block(first_rows(self.rows, n), truths, self.signals[:n])

    def pick(self, order: Starts) -> Block:
        """Return the rounds of these numbers, in this order, in arrays of their own."""
        truths = self.truths
        if isinstance(truths, Single):
            truths = Single(truths.labels[order])
        else:
            starts, entries = concatenate_runs(truths.starts, order)
            truths = Multi(starts, truths.labels[entries])
        return Block(take_rows(self.rows, order), truths, self.signals[order])


def concatenate_blocks(blocks: Sequence[Block]) -> Block:
    """Return blocks of one form as one, one after the other."""
    truths: Truths
    if isinstance(blocks[0].truths, Single):
        truths = Single(np.concatenate([block.truths.labels for block in blocks]))
    else:
        multi = [block.truths for block in blocks if isinstance(block.truths, Multi)]
        starts = rows_of.concatenate_starts([each.starts for each in multi])
        truths = Multi(starts, np.concatenate([each.labels for each in multi]))
    signals = np.concatenate([block.signals for block in blocks])
    return Block(rows_of.concatenate_rows([block.rows for block in blocks]), truths, signals)


def noiseless_block(rows: Rows, truths: Ints) -> Block:
    """Return a block with one right label a round, heard clearly."""
    return Block(rows, Single(truths), np.zeros(len(truths), np.int32))


@verb
def is_right(truths: Truths, i: int, label: int) -> Any:
    """Say whether a label is right in round i."""


@verb
def truth(truths: Truths, i: int) -> Any:
    """Return the right label of round i."""


@implements(is_right, Single)
def _(truths: Single, i: int, label: int) -> bool:
    return truths.labels[i] == label  # type: ignore[no-any-return]


@implements(truth, Single)
def _(truths: Single, i: int) -> int:
    return truths.labels[i]  # type: ignore[no-any-return]


@implements(is_right, Multi)
def _(truths: Multi, i: int, label: int) -> bool:
    for n in range(truths.starts[i], truths.starts[i + 1]):
        if truths.labels[n] == label:
            return True
    return False


@implements(truth, Multi)
def _(truths: Multi, i: int) -> int:
    # of several right labels, full information names the first; of none, nothing can be named
    start = truths.starts[i]
    return truths.labels[start] if truths.starts[i + 1] > start else -1
