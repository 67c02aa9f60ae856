"""Softmax: each label with probability proportional to the exponential of its score."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from onebit.explorers import explorer
from onebit.kernel.round import explore
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
def _(explorer: Softmax, scores: Floats, greedy: int, round: int, probs: Floats) -> None:
    total = 0.0
    for k in range(probs.shape[0]):
        probs[k] = math.exp((scores[k] - scores[greedy]) / explorer.temperature)
        total += probs[k]
    for k in range(probs.shape[0]):
        probs[k] /= total
