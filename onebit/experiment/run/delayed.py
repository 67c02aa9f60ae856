"""Playing a stream with delayed feedback.

The delays are drawn independently of the play, so the order of feedback is known before a
block is played. Rounds whose feedback is due after a block are put before the next block.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from onebit.agent.agent import Agent
from onebit.errors import BadInput
from onebit.kernel.block import LOST, Block, concatenate_blocks
from onebit.kernel.engine import RECORD, Delayed
from onebit.streams import Delays

#: Bytes of the rows that wait.
MOST_BYTES = 2**31


class DelayedPlay:
    """An agent, and the rounds of its stream whose feedback is due before the last round."""

    def __init__(self, agent: Agent, delays: Delays, rounds: int) -> None:
        self.agent, self.delays, self.rounds = agent, delays, rounds
        self.waiting: Block | None = None
        self.records = np.empty(0, RECORD)
        self.due = np.empty(0, np.int64)

    def play(self, block: Block) -> npt.NDArray[np.bool_]:
        """Play a block, learn from feedback when it is due; return which rounds were mistakes."""
        old, done, last = len(self.due), self.agent.round, self.agent.round + block.rounds
        both = block if self.waiting is None else concatenate_blocks([self.waiting, block])
        records = np.concatenate([self.records, np.empty(block.rounds, RECORD)])
        delays = self.delays(done + 1, block.rounds)
        due = np.concatenate([self.due, np.arange(done + 1, last + 1) + delays])
        arrives = both.signals != LOST

        learned = np.flatnonzero(arrives & (due <= last))
        learned = learned[np.argsort(due[learned], kind="stable")]
        self.agent.play_late(both, Delayed(old, records, learned, old + due[learned] - done - 1))

        still = np.flatnonzero(arrives & (due > last) & (due <= self.rounds))
        self.waiting, self.records, self.due = both.pick(still), records[still], due[still]
        size = sum(array.nbytes for array in self.waiting.rows)
        if size > MOST_BYTES:
            raise BadInput(
                f"Delay: rows that wait for feedback may take {MOST_BYTES:,} bytes, got {size:,};"
                " give a shorter delay."
            )
        return records["missed"][old:]
