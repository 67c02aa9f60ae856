"""Softmax: better labels more often, by the exponential of their score."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from onebit.explorers import explorer
from onebit.kernel.round import Situation, explore
from onebit.kernel.rows import Floats
from onebit.kernel.verbs import implements
from onebit.naming.params import Real


@explorer
class Softmax(NamedTuple):
    """Label k with probability proportional to exp(score_k / temperature).

    Its bits depend on the platform's exp.
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
