"""Playing a stream with delayed feedback.

The delays are drawn independently of the play, so the order of feedback is known before a
block is played. Rounds whose feedback is due after a block are put before the next block.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from onebit.agent.agent import Agent
from onebit.kernel.block import LOST, Block, concatenate_blocks
from onebit.kernel.engine import RECORD, Delayed
from onebit.streams import Delays


class DelayedPlay:
    """An agent, and the rounds of its stream whose feedback is not yet due."""

    def __init__(self, agent: Agent, delays: Delays) -> None:
        self.agent, self.delays = agent, delays
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

        still = np.flatnonzero(arrives & (due > last))
        self.waiting, self.records, self.due = both.pick(still), records[still], due[still]
        return records["missed"][old:]
