"""Delta: the greedy label, mixed with uniform play; the notation of BanditBoost."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.explorers import explorer
from onebit.explorers._uniform_mix import mixes_with_uniform, uniform_share
from onebit.kernel.exploration import Situation
from onebit.kernel.verbs import implements
from onebit.naming.params import Real


@mixes_with_uniform
@explorer
class Delta(NamedTuple):
    """The greedy label with probability 1 - delta, else one of all K uniformly.

    The same as `epsilon`. The papers on boosting call the share of rounds that explore delta,
    and the advantage of the weak learners gamma.

    Reference: Chen, Lin and Lu, ICML 2014, Algorithm 1.
    """

    delta: Annotated[float, Real("(0, 1)"), "share of rounds that explore"] = 0.03


@implements(uniform_share, Delta)
def _(explorer: Delta, situation: Situation) -> float:
    return explorer.delta
