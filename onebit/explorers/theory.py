"""Theory: the greedy label, mixed with uniform play by the share that the theorems give."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

from onebit.explorers import explorer
from onebit.explorers._uniform_mix import mixes_with_uniform, uniform_share
from onebit.kernel.exploration import Situation
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.naming.params import Auto, Real, Whole

#: The largest gamma for which Lemma 5, and with it every bound, holds.
MAX_GAMMA = 0.5


@mixes_with_uniform
@explorer
class Theory(NamedTuple):
    """The explorer `epsilon` with gamma=auto: gamma is set by theory.

    D is twice the squared norm of weights that separate the stream's rows (of norm at
    most 1) with margin 1, and rho the average hinge loss of the best weights per
    round. Without noise gamma = sqrt(K D / T) balances Theorem 1's bound (Corollary 2).
    With it, sqrt(K D rho T / gamma) must be balanced too, which takes
    gamma = (rho K D / (4 T))^(1/3) (Corollary 3, minimised); the larger of the two is used,
    since the second is too small while rho T < 4 sqrt(K D T). Never more than 1/2: Lemma 5
    fails beyond, and Corollary 2 gives less only when T > 4 K D.

    With horizon=auto, T is the number of the round: gamma decreases like t^(-1/2) or
    t^(-1/3), and the number of rounds need not be known. Exploration then costs at most twice
    as much as with T known.

    If noise is not 0, its results depend on the platform's pow in the last bits.

    Reference: Kakade, Shalev-Shwartz and Tewari, ICML 2008, Theorem 1, Corollaries 2 and 3.
    """

    gamma: Annotated[float, Auto(Real("(0, 1)")), "share of rounds that explore"] = "auto"  # type: ignore[assignment]
    horizon: Annotated[
        int, Auto(Whole(1)), "number of rounds (T); auto: that of the current round"
    ] = "auto"  # type: ignore[assignment]
    complexity: Annotated[float, Real("(0, inf)"), "complexity of the best weights (D)"] = 100.0
    noise: Annotated[float, Real("[0, inf)"), "their average hinge loss per round (rho)"] = 0.0

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Theory:
        """Return the explorer; gamma is 0 if it changes from round to round."""
        horizon = 0 if params["horizon"] == "auto" else params["horizon"]
        gamma = params["gamma"]
        if gamma == "auto":
            problem = sizes.labels, params["complexity"], params["noise"]
            gamma = gamma_by_theory(*problem, horizon) if horizon else 0.0
        return initial_state(cls, sizes, {**params, "gamma": gamma, "horizon": horizon})


@kernel
def gamma_by_theory(labels: int, complexity: float, noise: float, rounds: int) -> float:
    """Return the gamma of Corollaries 2 and 3."""
    ratio = labels * complexity / rounds
    gamma = math.sqrt(ratio)
    if noise > 0.0:
        gamma = max(gamma, math.pow(noise * ratio / 4.0, 1.0 / 3.0))
    return min(gamma, MAX_GAMMA)


@implements(uniform_share, Theory)
def _(explorer: Theory, situation: Situation) -> float:
    if explorer.gamma != 0.0:
        return explorer.gamma
    labels = situation.scores.shape[0]
    return gamma_by_theory(labels, explorer.complexity, explorer.noise, situation.round)  # type: ignore[no-any-return]
