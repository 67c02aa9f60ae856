"""Proportional: each label with probability proportional to its score."""

from __future__ import annotations

from typing import NamedTuple

from onebit.explorers import explorer
from onebit.kernel.exploration import Situation, explore, marginals
from onebit.kernel.rng import best
from onebit.kernel.rows import Floats
from onebit.kernel.verbs import implements


@explorer
class Proportional(NamedTuple):
    """Label k with probability proportional to its score, which must not be negative.

    For learners whose scores are weights, such as the Exp3 family. If all scores are zero,
    every label has the same probability.
    """


@implements(explore, Proportional)
def _(explorer: Proportional, situation: Situation, greedy: int, probs: Floats) -> None:
    total, scores = 0.0, situation.scores
    for k in range(probs.shape[0]):
        probs[k] = max(scores[k], 0.0)
        total += probs[k]
    for k in range(probs.shape[0]):
        probs[k] = probs[k] / total if total > 0.0 else 1.0 / probs.shape[0]


@implements(marginals, Proportional)
def _(
    explorer: Proportional, situation: Situation, greedy_probs: Floats, work: Floats, out: Floats
) -> None:
    explore(explorer, situation, best(greedy_probs, 0.0), out)
