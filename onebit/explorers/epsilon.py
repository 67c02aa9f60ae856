"""Epsilon: mostly the best label, now and then any label."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from onebit.explorers import explorer
from onebit.explorers._uniform_mix import mix_with_uniform
from onebit.kernel.round import explore
from onebit.kernel.rows import Floats
from onebit.kernel.verbs import implements
from onebit.naming.params import Real


@explorer
class Epsilon(NamedTuple):
    """The best label with probability 1 - gamma, else one of all K uniformly.

    With gamma=auto the explorer `theory` takes its place, which sets gamma by how many
    rounds there will be and how hard the stream is.

    Reference: Kakade, Shalev-Shwartz and Tewari, ICML 2008, Algorithm 1.
    """

    gamma: Annotated[float, Real("(0, 1)"), "share of rounds that explore; auto: by theory"] = 0.05

    @staticmethod
    def stand_in(given: Mapping[str, Any]) -> str:
        """Name the explorer that the given parameters ask for."""
        return "theory" if given.get("gamma") == "auto" else "epsilon"


@implements(explore, Epsilon)
def _(explorer: Epsilon, scores: Floats, greedy: int, round: int, probs: Floats) -> None:
    mix_with_uniform(explorer.gamma, greedy, probs)
