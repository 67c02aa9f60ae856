"""Uniform: every label with the same probability."""

from __future__ import annotations

from typing import NamedTuple

from onebit.explorers import explorer
from onebit.kernel.round import explore
from onebit.kernel.rows import Floats
from onebit.kernel.verbs import implements


@explorer
class Uniform(NamedTuple):
    """Every label with the same probability, whatever the scores."""


@implements(explore, Uniform)
def _(explorer: Uniform, scores: Floats, greedy: int, round: int, probs: Floats) -> None:
    probs[:] = 1.0 / probs.shape[0]
