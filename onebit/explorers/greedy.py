"""Greedy: always the label with the highest score."""

from __future__ import annotations

from typing import NamedTuple

from onebit.explorers import explorer
from onebit.kernel.exploration import Situation, explore, marginals
from onebit.kernel.rows import Floats, copy_values
from onebit.kernel.verbs import implements


@explorer
class Greedy(NamedTuple):
    """Always the label with the highest score."""


@implements(explore, Greedy)
def _(explorer: Greedy, situation: Situation, greedy: int, probs: Floats) -> None:
    probs[:] = 0.0
    probs[greedy] = 1.0


@implements(marginals, Greedy)
def _(
    explorer: Greedy, situation: Situation, greedy_probs: Floats, work: Floats, out: Floats
) -> None:
    copy_values(greedy_probs, out)
