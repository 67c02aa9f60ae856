"""Delta: the greedy label, mixed with uniform play; the notation of BanditBoost."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.explorers import explorer
from onebit.explorers._uniform_mix import mix_with_uniform, mixed_marginals
from onebit.kernel.exploration import Situation, explore, marginals
from onebit.kernel.rows import Floats
from onebit.kernel.verbs import implements
from onebit.naming.params import Real


@explorer
class Delta(NamedTuple):
    """The greedy label with probability 1 - delta, else one of all K uniformly.

    The same as `epsilon`. The papers on boosting call the share of rounds that explore delta,
    and the advantage of the weak learners gamma.

    Reference: Chen, Lin and Lu, ICML 2014, Algorithm 1.
    """

    delta: Annotated[float, Real("(0, 1)"), "share of rounds that explore"] = 0.03


@implements(explore, Delta)
def _(explorer: Delta, situation: Situation, greedy: int, probs: Floats) -> None:
    mix_with_uniform(explorer.delta, greedy, probs)


@implements(marginals, Delta)
def _(
    explorer: Delta, situation: Situation, greedy_probs: Floats, work: Floats, out: Floats
) -> None:
    mixed_marginals(explorer.delta, greedy_probs, out)
