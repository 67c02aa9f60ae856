"""Uniform: every label with the same probability."""

from __future__ import annotations

from typing import NamedTuple

from onebit.explorers import explorer
from onebit.kernel.exploration import Situation, explore, marginals
from onebit.kernel.rng import best
from onebit.kernel.rows import Floats
from onebit.kernel.verbs import implements


@explorer
class Uniform(NamedTuple):
    """Every label with the same probability, whatever the scores."""


@implements(explore, Uniform)
def _(explorer: Uniform, situation: Situation, greedy: int, probs: Floats) -> None:
    probs[:] = 1.0 / probs.shape[0]


@implements(marginals, Uniform)
def _(
    explorer: Uniform, situation: Situation, greedy_probs: Floats, work: Floats, out: Floats
) -> None:
    explore(explorer, situation, best(greedy_probs, 0.0), out)
