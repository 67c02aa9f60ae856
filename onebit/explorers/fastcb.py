"""FastCB: like SquareCB, and hardly at all where the greedy label is almost surely right."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from onebit.explorers import explorer
from onebit.explorers._fastcb import set_fastcb
from onebit.kernel.exploration import Situation, explore
from onebit.kernel.rows import Floats
from onebit.kernel.verbs import implements
from onebit.naming.params import Real


@explorer(needs="estimates")
class Fastcb(NamedTuple):
    """Label k with probability c_greedy / (K c_greedy + g (c_k - c_greedy)), the greedy the rest.

    c = 1 - f are the estimated probabilities of being wrong, and g = gamma_scale sqrt(round).
    Where the greedy label is almost surely right it hardly explores, which makes few mistakes
    on streams with little noise. Labels that tie with the greedy one have probability 1 / K.

    Reference: Foster and Krishnamurthy, "Efficient first-order contextual bandits: prediction,
    allocation, and triangular discrimination", NeurIPS 2021, Algorithm 1.
    """

    gamma_scale: Annotated[float, Real("(0, inf)"), "the higher, the less it explores"] = 10.0


@implements(explore, Fastcb)
def _(explorer: Fastcb, situation: Situation, greedy: int, probs: Floats) -> None:
    gamma = explorer.gamma_scale * math.sqrt(situation.round)
    set_fastcb(situation.scores, greedy, gamma, probs)
