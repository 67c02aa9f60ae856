"""Gap: explores more where the greedy label is uncertain."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.explorers import explorer
from onebit.explorers._uniform_mix import mixes_with_uniform, uniform_share
from onebit.kernel.exploration import Situation
from onebit.kernel.rng import best
from onebit.kernel.verbs import implements
from onebit.naming.params import Real


@mixes_with_uniform
@explorer
class Gap(NamedTuple):
    """The greedy label with probability 1 - a, else one of all K uniformly; a is the gap.

    With the highest score f, a = 1 - f if f >= 1/2, else 1; at least gamma. For learners whose
    scores are probabilities, such as `gappletron`; with other scores it explores gamma of the
    rounds in which the highest is above 1, and all in which it is below 1/2.

    Reference: van der Hoeven, "Exploiting the surrogate gap in online multiclass classification",
    NeurIPS 2020, the gap map of the logistic loss; with a floor as in van der Hoeven, Fusco and
    Cesa-Bianchi, "Beyond bandit feedback in online multiclass classification", NeurIPS 2021.
    """

    gamma: Annotated[float, Real("(0, 1)"), "least share of rounds that explore"] = 0.01


@implements(uniform_share, Gap)
def _(explorer: Gap, situation: Situation) -> float:
    highest = float(situation.scores[best(situation.scores, 0.0)])
    share = 1.0 - highest if highest >= 0.5 else 1.0
    return max(share, explorer.gamma)
