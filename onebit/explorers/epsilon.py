"""Epsilon: the greedy label, mixed with uniform play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from onebit.explorers import explorer
from onebit.explorers._uniform_mix import mixes_with_uniform, uniform_share
from onebit.kernel.exploration import Situation
from onebit.kernel.verbs import implements
from onebit.naming.params import Real


@mixes_with_uniform
@explorer
class Epsilon(NamedTuple):
    """The greedy label with probability 1 - gamma, else one of all K uniformly.

    With gamma=auto the explorer `theory` is used instead, which sets gamma from the number of
    rounds and the difficulty of the stream.

    Reference: Kakade, Shalev-Shwartz and Tewari, ICML 2008, Algorithm 1.
    """

    gamma: Annotated[float, Real("(0, 1)"), "share of rounds that explore; auto: by theory"] = 0.05

    @staticmethod
    def stand_in(given: Mapping[str, Any]) -> str:
        """Return the name of the explorer for these parameters: `theory` if gamma is auto."""
        gamma = given.get("gamma")
        return "theory" if isinstance(gamma, str) and gamma == "auto" else "epsilon"


@implements(uniform_share, Epsilon)
def _(explorer: Epsilon, situation: Situation) -> float:
    return explorer.gamma
