"""Playing blocks of a stream with no Python between the rounds, and learning from logs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from onebit.agent.base import AgentBase, checked_width
from onebit.agent.core import Core
from onebit.errors import BadBlock, BadInput
from onebit.kernel import engine
from onebit.kernel.block import Block, Multi, Single
from onebit.kernel.round import Bit, Label
from onebit.kernel.rows import DenseRows, Floats, Ints
from onebit.kernel.validation import check_block, check_delayed, check_log, row_count
from onebit.theory.hypotheses import is_advice


class StreamPlay(AgentBase):
    """The methods of an agent for blocks of a stream."""

    def play(self, block: Block) -> npt.NDArray[np.bool_]:
        """Play a block of a stream, with the feedback of each round at once.

        Parameters
        ----------
        block : Block
            Rows and true labels.

        Returns
        -------
        ndarray of bool
            Which rounds were mistakes.

        Raises
        ------
        BadBlock
            If the block does not fit the agent.
        """
        with self._lock:
            core, block = self._checked(block)
            missed = np.empty(block.rounds, np.bool_)
            first, self.round = self.round + 1, self.round + block.rounds
            core.play(block, first, missed)
            remark = self._after_learning()
        self._warn(remark)
        return missed

    def widen(self, features: int) -> None:
        """Let rows have more features; what was learned about the others is kept.

        Parameters
        ----------
        features : int
            The new width of a row; a smaller one than before changes nothing.

        Raises
        ------
        BadInput
            If the learner depends on the width, the width is not known yet, features have names, a
            decision waits for its feedback, or the numbers do not fit into memory.

        Examples
        --------
        >>> agent = Agent("banditron", labels=["tea", "coffee"], features=2)
        >>> agent.widen(5)
        >>> agent.features
        5
        """
        with self._lock:
            features = checked_width(features)
            core = self._core
            if core is None or self._adviser is not None or not self.recipe.widens:
                raise BadInput(
                    f"{self._who}: only a learner that is declared with widens=True, and begun with"
                    " features=N, can get more features."
                )
            if self._named or self._encoder is not None:
                raise BadInput(
                    f"{self._who}: features can be added if rows are numbers without names, got an"
                    f" agent for {'records of a table' if self._encoder else 'dicts of names'}."
                )
            if len(self._open):
                raise BadInput(
                    f"{self._who}: features can be added while no decision waits for its feedback,"
                    f" got {len(self._open)} that do."
                )
            if features > core.sizes.features:
                self._core = core.grown(core.sizes._replace(features=features))
                self._preview = None

    def play_late(self, block: Block, delayed: engine.Delayed) -> None:
        """Play the new rounds of a block of a stream, with feedback that comes later.

        Parameters
        ----------
        block : Block
            Rows and true labels: first the rounds that were played before, then the new ones.
        delayed : Delayed
            When the feedback of each round arrives; what was played is written into it.

        Raises
        ------
        BadBlock
            If the block or the plan does not fit.
        """
        with self._lock:
            core, block = self._checked(block)
            check_delayed(self._who, delayed, block.rounds, core.sizes.labels)
            first, self.round = self.round + 1, self.round + block.rounds - delayed.old
            core.play_delayed(block, first, delayed)
            remark = self._after_learning()
        self._warn(remark)

    def replay(
        self, block: Block, labels: Ints, probs: Floats, correct: npt.NDArray[np.bool_]
    ) -> None:
        """Learn from a block of rounds that another agent played.

        Parameters
        ----------
        block : Block
            The rows, and the true labels for learners that hear them.
        labels, probs, correct : array
            The number of the label played in each round, its probability, and the bit.

        Raises
        ------
        BadBlock
            If the block or the log does not fit the agent.
        """
        with self._lock:
            rounds = row_count(block.rows) if isinstance(block, Block) else 0
            check_log(self._who, rounds or 0, len(self._labels), (labels, probs, correct))
            if self._hears is Bit and isinstance(block, Block):  # the bit is all that is known
                right = np.where(correct, labels, -1).astype(np.int32)
                block = block._replace(truths=Single(right))
            core, block = self._checked(block, least_label=-1 if self._hears is Bit else 0)
            first, self.round = self.round + 1, self.round + block.rounds
            core.replay(block, first, labels, probs)
            remark = self._after_learning()
        self._warn(remark)

    def _checked(self, block: Any, least_label: int = 0) -> tuple[Core, Block]:
        """Return the core and a block that the learner can play; else raise BadBlock."""
        core, who = self._core, self._who
        if core is None:
            raise BadBlock(f"{who}: give features=N to play blocks of a stream, got none.")
        features, labels = core.sizes[:2]
        if self._labels.active is not None:
            raise BadBlock(
                f"{who}: blocks of a stream are played with all labels, some are retired."
            )
        if isinstance(block, Block) and self._reads_advice:
            values = getattr(block.rows, "values", None)
            fits = isinstance(block.rows, DenseRows) and getattr(values, "ndim", 0) == 2
            if not (fits and values.shape[1] == features and is_advice(values, labels)):  # type: ignore[union-attr]
                raise BadBlock(
                    f"{who}: it reads advice, and these rows are not {features} label numbers"
                    " each; give --with advise:class=stumps."
                )
        block = check_block(who, block, features, labels, least_label)
        if self._hears is Label and isinstance(block.truths, Multi) and not self._hears_sets:
            raise BadBlock(
                f"{who}: it hears one true label, and a round of this stream may have several"
                " or none."
            )
        if isinstance(block.rows, DenseRows) and self._reads_rows:  # sparse ones may be of names
            if self._named:
                raise BadBlock(
                    f"{who}: rows must be dicts of names, as those before, got a block of arrays."
                )
            self._named = False
        return core, block
