"""Softmax: each label with probability proportional to the exponential of its score."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from onebit.explorers import explorer
from onebit.kernel.exploration import Situation, explore, marginals
from onebit.kernel.rng import best
from onebit.kernel.rows import Floats
from onebit.kernel.verbs import implements
from onebit.naming.params import Real


@explorer
class Softmax(NamedTuple):
    """Label k with probability proportional to exp(score_k / temperature).

    Its results depend on the platform's exp in the last bits.
    """

    temperature: Annotated[float, Real("(0, inf)"), "the higher, the more it explores"] = 1.0


@implements(explore, Softmax)
def _(explorer: Softmax, situation: Situation, greedy: int, probs: Floats) -> None:
    total, scores = 0.0, situation.scores
    for k in range(probs.shape[0]):
        probs[k] = math.exp((scores[k] - scores[greedy]) / explorer.temperature)
        total += probs[k]
    for k in range(probs.shape[0]):
        probs[k] /= total


@implements(marginals, Softmax)
def _(
    explorer: Softmax, situation: Situation, greedy_probs: Floats, work: Floats, out: Floats
) -> None:
    explore(explorer, situation, best(greedy_probs, 0.0), out)
