"""Theory: mostly the best label, now and then any, as often as the theorems say."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

from onebit.explorers import explorer
from onebit.explorers._uniform_mix import mix_with_uniform
from onebit.kernel.round import explore
from onebit.kernel.rows import Floats
from onebit.kernel.state import Sizes, initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.naming.params import Auto, Real, Whole

#: Lemma 5, on which every bound rests, holds up to here.
LARGEST_GAMMA = 0.5


@explorer
class Theory(NamedTuple):
    """The explorer epsilon with its gamma set by theory: what gamma=auto stands for.

    D is twice the squared norm of weights that separate the stream's rows (of norm at
    most 1) with margin 1, and rho the hinge loss that the best weights still suffer in an
    average round. Without noise gamma = sqrt(K D / T) balances Theorem 1's bound (Corollary 2).
    With it, sqrt(K D rho T / gamma) must be balanced too, which takes
    gamma = (rho K D / (4 T))^(1/3) (Corollary 3, minimised); the larger of the two is used,
    since the second is too small while rho T < 4 sqrt(K D T). Never more than 1/2: Lemma 5
    fails beyond, and Corollary 2 gives less only when T > 4 K D.

    With horizon=auto, T is the number of the round: gamma falls with the rounds, like
    t^(-1/2) or t^(-1/3), and nobody needs to know how long it will play. All the exploring
    then costs at most twice what it costs with T known.

    Its bits depend on the platform's pow when noise is not 0.

    Reference: Kakade, Shalev-Shwartz and Tewari, ICML 2008, Theorem 1, Corollaries 2 and 3.
    """

    gamma: Annotated[float, Auto(Real("(0, 1)")), "share of rounds that explore"] = "auto"  # type: ignore[assignment]
    horizon: Annotated[int, Auto(Whole(1)), "rounds to be played (T); auto: as they come"] = "auto"  # type: ignore[assignment]
    complexity: Annotated[float, Real("(0, inf)"), "of the weights looked for (D)"] = 100.0
    noise: Annotated[float, Real("[0, inf)"), "their hinge loss in a round (rho)"] = 0.0

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Theory:
        """Settle gamma if it is the same in all rounds; 0 says that it is not."""
        horizon = 0 if params["horizon"] == "auto" else params["horizon"]
        gamma = params["gamma"]
        if gamma == "auto":
            facts = sizes.labels, params["complexity"], params["noise"]
            gamma = gamma_by_theory(*facts, horizon) if horizon else 0.0
        return initial_state(cls, sizes, {**params, "gamma": gamma, "horizon": horizon})


@kernel
def gamma_by_theory(labels: int, complexity: float, noise: float, rounds: int) -> float:
    """Return the gamma that Corollaries 2 and 3 ask for."""
    ratio = labels * complexity / rounds
    gamma = math.sqrt(ratio)
    if noise > 0.0:
        gamma = max(gamma, math.pow(noise * ratio / 4.0, 1.0 / 3.0))
    return min(gamma, LARGEST_GAMMA)


@implements(explore, Theory)
def _(explorer: Theory, scores: Floats, greedy: int, round: int, probs: Floats) -> None:
    gamma = explorer.gamma
    if gamma == 0.0:
        gamma = gamma_by_theory(probs.shape[0], explorer.complexity, explorer.noise, round)
    mix_with_uniform(gamma, greedy, probs)
