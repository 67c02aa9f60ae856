"""Regret: how much worse than the best fixed choice in hindsight.

The choice is a label, or for streams of advice a hypothesis. The mean over seeds of the
regret of single trials is the expected regret. The pseudo-regret compares with the one
choice that is best over all seeds together, and is never larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from onebit.kernel.block import Block, Multi
from onebit.streams import Stream
from onebit.theory.hypotheses import count_right

#: With more fixed choices than this, a result keeps the mistakes of none.
MOST_KEPT = 1000


class FixedChoices:
    """Counts how often each fixed choice would have been right on the blocks of a stream."""

    def __init__(self, stream: Stream) -> None:
        self.advice = stream.row == "advice"
        self.right = np.zeros(stream.features if self.advice else len(stream.labels), np.int64)
        self.choices = range(len(self.right)) if self.advice else stream.labels
        self.rounds = 0

    def add(self, block: Block) -> None:
        """Count the rounds of a block."""
        self.rounds += block.rounds
        if self.advice:
            count_right(block.rows.values, block.truths, self.right)
        elif block.rounds:
            truths, labels = block.truths, block.truths.labels
            if isinstance(truths, Multi):
                labels = labels[truths.starts[0] : truths.starts[-1]]
            self.right += np.bincount(labels, minlength=len(self.right))

    @property
    def mistakes(self) -> npt.NDArray[np.int64]:
        """How many mistakes each fixed choice would have made."""
        return self.rounds - self.right

    def regret_fields(self, mistakes: int) -> dict[str, Any]:
        """Return the fields of a result that are about regret."""
        each = self.mistakes
        best = int(each.argmin())
        return {
            "regret": mistakes - int(each[best]),
            "best_fixed": str(self.choices[best]),
            "fixed_mistakes": each.tolist() if len(each) <= MOST_KEPT else [],
            "fixed": "hypotheses" if self.advice else "labels",
        }


def pseudo_regret(mistakes: Sequence[int], fixed: Sequence[Sequence[int]]) -> float:
    """Return the mean mistakes minus those of the fixed choice that is best on average.

    It is nan if a result does not have the mistakes of every choice.
    """
    if not fixed or not all(fixed) or len({*map(len, fixed)}) > 1:
        return float("nan")
    return float(np.mean(mistakes) - np.mean(np.array(fixed), axis=0).min())
