"""Uniform: every label equally often."""

from __future__ import annotations

from typing import NamedTuple

from onebit.explorers import explorer
from onebit.kernel.round import Situation, explore
from onebit.kernel.rows import Floats
from onebit.kernel.verbs import implements


@explorer
class Uniform(NamedTuple):
    """Every label equally often, whatever the scores."""


@implements(explore, Uniform)
def _(explorer: Uniform, situation: Situation, greedy: int, probs: Floats) -> None:
    probs[:] = 1.0 / probs.shape[0]
