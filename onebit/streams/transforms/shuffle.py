"""Shuffle: the rows of a finite stream in random order."""

from __future__ import annotations

from typing import NamedTuple

from onebit.errors import BadParameter
from onebit.kernel.block import Block, concatenate_blocks
from onebit.kernel.rng import key
from onebit.streams import Stream, blocks_in_order, transform
from onebit.streams.reading.bad_lines import notify_once


@transform
class Shuffle(NamedTuple):
    """The rows of a finite stream in an order that the seed decides; holds all of them in memory.

    Their number, and how much memory they take, is printed on stderr. The built-in
    finite streams are shuffled anyway (`order=shuffled`), independently; files are not.
    """

    def apply(self, stream: Stream, seed: int, number: int) -> Stream:
        """Return the shuffled stream."""
        if stream.length is None and not stream.ends:
            raise BadParameter("Shuffle: an endless stream cannot be shuffled; put take before it.")

        def load() -> Block:
            rounds = concatenate_blocks(list(stream.blocks()))
            notify_once(
                f"shuffle: {rounds.rounds:,} rows are held in memory, {_megabytes(rounds):,.1f} MB"
            )
            return rounds

        return stream._replace(
            blocks=blocks_in_order(load, "shuffled", key(seed, f"shuffle {number}"))
        )


def _megabytes(rounds: Block) -> float:
    """Return how much memory the rounds take, in 10**6 bytes."""
    parts = (*rounds.rows, *rounds.truths, rounds.signals)
    return sum(int(part.nbytes) for part in parts) / 1e6
