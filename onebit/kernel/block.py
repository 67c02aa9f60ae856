"""A block of rounds: rows, the right labels of each, and whether feedback is lost or false.

Loops take blocks of about 10,000 rounds: so many that calls from Python cost nothing, so few that
progress can be shown and Ctrl-C be handled in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from onebit.kernel import rearranging
from onebit.kernel.rearranging import concatenate_runs, first_rows, take_rows
from onebit.kernel.rows import Floats, Ints, Rows, Starts
from onebit.kernel.verbs import implements, verb

__all__ = ["BLOCK", "LOST", "Block", "Multi", "Single", "Truths", "concatenate_blocks", "is_right",
           "noiseless_block", "relevance"]  # fmt: skip

#: Rounds in a block.
BLOCK = 10_000
#: The signal of a round whose feedback is lost.
LOST = -1
#: The degrees of relevance where none are given.
_NO_DEGREES = np.empty(0)


class Single(NamedTuple):
    """One right label for each round.

    Attributes
    ----------
    labels : array of int32
        The label numbers.
    """

    labels: Ints


class Multi(NamedTuple):
    """Any number of right labels, also none: round i has labels[starts[i]:starts[i + 1]].

    Attributes
    ----------
    starts : array of int64
        Where the labels of each round start, and their number at the end.
    labels : array of int32
        The label numbers, those of a round all different.
    degrees : array of float64, optional
        The degree of relevance of each of `labels`, above 0; all are 1 if it is empty.
    """

    starts: Starts
    labels: Ints
    degrees: Floats = _NO_DEGREES


#: The right labels of some rounds.
Truths = Single | Multi


class Block(NamedTuple):
    """Some rounds of a stream.

    Attributes
    ----------
    rows : DenseRows or SparseRows
        The rows.
    truths : Single or Multi
        The right labels.
    signals : array of int32
        What happens to the feedback of each round: 0 if it is true, LOST if there is none, s > 0
        if it is false. The bit is then inverted, the true label is replaced by the one s further.
    """

    rows: Rows
    truths: Truths
    signals: Ints

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return len(self.signals)

    def head(self, n: int) -> Block:
        """Return the first rounds, as views.

        Parameters
        ----------
        n : int
            How many.

        Returns
        -------
        Block
            The first n rounds.
        """
        truths = self.truths
        if isinstance(truths, Single):
            truths = Single(truths.labels[:n])
        else:
            end = truths.starts[n]
            truths = Multi(truths.starts[: n + 1], truths.labels[:end], truths.degrees[:end])
        return Block(first_rows(self.rows, n), truths, self.signals[:n])

    def pick(self, order: Starts) -> Block:
        """Return some rounds, copied.

        Parameters
        ----------
        order : array of int64
            The positions of the rounds, in the order wanted.

        Returns
        -------
        Block
            These rounds.
        """
        truths = self.truths
        if isinstance(truths, Single):
            truths = Single(truths.labels[order])
        else:
            starts, entries = concatenate_runs(truths.starts, order)
            degrees = truths.degrees
            truths = Multi(
                starts, truths.labels[entries], degrees[entries] if len(degrees) else degrees
            )
        return Block(take_rows(self.rows, order), truths, self.signals[order])


def concatenate_blocks(blocks: Sequence[Block]) -> Block:
    """Return several blocks as one.

    Parameters
    ----------
    blocks : sequence of Block
        At least one; their rows are of the same type.

    Returns
    -------
    Block
        The rounds of all blocks, in order.
    """
    truths: Truths
    if all(isinstance(block.truths, Single) for block in blocks):
        truths = Single(np.concatenate([block.truths.labels for block in blocks]))
    else:
        graded = any(len(block.truths[-1]) for block in blocks if isinstance(block.truths, Multi))
        multi = [_as_multi(block.truths, graded) for block in blocks]
        starts = rearranging.concatenate_starts([each.starts for each in multi])
        labels = np.concatenate([each.labels for each in multi])
        truths = Multi(starts, labels, np.concatenate([each.degrees for each in multi]))
    signals = np.concatenate([block.signals for block in blocks])
    return Block(rearranging.concatenate_rows([block.rows for block in blocks]), truths, signals)


def _as_multi(truths: Truths, graded: bool) -> Multi:
    """Return right labels as sets, if asked for with degrees of relevance."""
    if isinstance(truths, Single):
        truths = Multi(np.arange(len(truths.labels) + 1), truths.labels)
    used = slice(truths.starts[0], truths.starts[-1])
    degrees = truths.degrees[used]
    if graded and not len(truths.degrees):
        degrees = np.ones(used.stop - used.start)
    return Multi(truths.starts, truths.labels[used], degrees)


def noiseless_block(rows: Rows, truths: Ints) -> Block:
    """Return a block with one right label for each round, and true feedback.

    Parameters
    ----------
    rows : DenseRows or SparseRows
        The rows.
    truths : array of int32
        The label number of each row.

    Returns
    -------
    Block
        The block.

    Examples
    --------
    >>> from onebit.kernel.rows import DenseRows
    >>> noiseless_block(DenseRows(np.ones((2, 3))), np.array([0, 1], np.int32)).rounds
    2
    """
    return Block(rows, Single(truths), np.zeros(len(truths), np.int32))


@verb
def is_right(truths: Truths, i: int, label: int) -> Any:
    """Return whether a label is right.

    Parameters
    ----------
    truths : Single or Multi
        The right labels of a block.
    i : int
        The position of the round in the block.
    label : int
        A label number.

    Returns
    -------
    bool
        True if the label is right in round i.
    """


@verb
def relevance(truths: Truths, i: int, label: int) -> Any:
    """Return the degree to which a label is right.

    Parameters
    ----------
    truths : Single or Multi
        The right labels of a block.
    i : int
        The position of the round in the block.
    label : int
        A label number.

    Returns
    -------
    float
        Its degree of relevance: 1 if none are given, 0 if the label is wrong.
    """


@implements(is_right, Single)
def _(truths: Single, i: int, label: int) -> bool:
    return truths.labels[i] == label  # type: ignore[no-any-return]


@implements(relevance, Single)
def _(truths: Single, i: int, label: int) -> float:
    return 1.0 if truths.labels[i] == label else 0.0


@implements(is_right, Multi)
def _(truths: Multi, i: int, label: int) -> bool:
    for n in range(truths.starts[i], truths.starts[i + 1]):
        if truths.labels[n] == label:
            return True
    return False


@implements(relevance, Multi)
def _(truths: Multi, i: int, label: int) -> float:
    for n in range(truths.starts[i], truths.starts[i + 1]):
        if truths.labels[n] == label:
            return truths.degrees[n] if truths.degrees.shape[0] > 0 else 1.0
    return 0.0
