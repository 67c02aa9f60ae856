"""SquareCB: labels with probabilities inverse to how much worse they are estimated to be."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from onebit.explorers import explorer
from onebit.kernel.exploration import Situation, explore
from onebit.kernel.rows import Floats
from onebit.kernel.verbs import implements
from onebit.naming.params import Real


@explorer(needs="estimates")
class Squarecb(NamedTuple):
    """Label k with probability 1 / (K + g (f_greedy - f_k)), the greedy label with the rest.

    f are the estimates of being right, and g = gamma_scale sqrt(round): the longer it plays, the
    less it explores labels that are estimated to be worse.

    Reference: Foster and Rakhlin, "Beyond UCB: optimal and efficient contextual bandits with
    regression oracles", ICML 2020, Algorithm 1; g grows with the round as in its Section 3.
    """

    gamma_scale: Annotated[float, Real("(0, inf)"), "the higher, the less it explores"] = 10.0


@implements(explore, Squarecb)
def _(explorer: Squarecb, situation: Situation, greedy: int, probs: Floats) -> None:
    scores, rest = situation.scores, 1.0
    gamma = explorer.gamma_scale * math.sqrt(situation.round)
    for k in range(probs.shape[0]):
        if k != greedy:
            probs[k] = 1.0 / (probs.shape[0] + gamma * (scores[greedy] - scores[k]))
            rest -= probs[k]
    probs[greedy] = rest
