"""Decaying epsilon: the greedy label, mixed with uniform play, less in every round."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from onebit.explorers import explorer
from onebit.explorers._uniform_mix import mixes_with_uniform, uniform_share
from onebit.kernel.exploration import Situation
from onebit.kernel.verbs import implements
from onebit.naming.params import Real


@mixes_with_uniform
@explorer
class DecayingEpsilon(NamedTuple):
    """The greedy label with probability 1 - first / round^power, else one of all K uniformly.

    The number of rounds need not be known. With power=1/3 the regret of explore-first, of the
    order T^(2/3), is kept at every round; with 1/2 it explores less and may take longer to recover
    from a bad start. `theory` sets the share from the difficulty of the stream instead.

    Its results depend on the platform's pow in the last bits.

    Reference: Langford and Zhang, "The epoch-greedy algorithm for contextual multi-armed
    bandits", NIPS 2007, whose share of exploration is of the order t^(-1/3).
    """

    first: Annotated[float, Real("(0, 1]"), "share of rounds that explore at first"] = 1.0
    power: Annotated[float, Real("(0, 1]"), "how fast that share falls"] = 1.0 / 3.0


@implements(uniform_share, DecayingEpsilon)
def _(explorer: DecayingEpsilon, situation: Situation) -> float:
    return explorer.first * math.pow(situation.round, -explorer.power)
