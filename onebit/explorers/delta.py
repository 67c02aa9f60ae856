"""Delta: mostly the best label, now and then any label, by BanditBoost's letter."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.explorers import explorer
from onebit.explorers._uniform_mix import mix_with_uniform
from onebit.kernel.round import explore
from onebit.kernel.rows import Floats
from onebit.kernel.verbs import implements
from onebit.naming.params import Real


@explorer
class Delta(NamedTuple):
    """The best label with probability 1 - delta, else one of all K uniformly.

    What `epsilon` does; its letter gamma is the weak learners' advantage in the
    papers on boosting, which call the share of rounds that explore delta.

    Reference: Chen, Lin and Lu, ICML 2014, Algorithm 1.
    """

    delta: Annotated[float, Real("(0, 1)"), "share of rounds that explore"] = 0.03


@implements(explore, Delta)
def _(explorer: Delta, scores: Floats, greedy: int, round: int, probs: Floats) -> None:
    mix_with_uniform(explorer.delta, greedy, probs)
