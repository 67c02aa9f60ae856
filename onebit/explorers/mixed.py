"""Mixed: each label with probability proportional to its score, mixed with uniform play."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.explorers import explorer
from onebit.kernel.exploration import Situation, explore, marginals
from onebit.kernel.rows import Floats
from onebit.kernel.verbs import implements
from onebit.naming.params import Real


@explorer
class Mixed(NamedTuple):
    """Label k with probability (1 - gamma) score_k / (sum of scores) + gamma / K.

    For learners whose scores are probabilities of play, such as `newtron`. Negative scores
    count as zero; if all are zero, every label has the same probability.

    Reference: Hazan and Kale, NIPS 2011, Algorithm 1.
    """

    gamma: Annotated[float, Real("(0, 1)"), "share of rounds that explore"] = 0.01


@implements(explore, Mixed)
def _(explorer: Mixed, situation: Situation, greedy: int, probs: Floats) -> None:
    total, labels = 0.0, probs.shape[0]
    for k in range(labels):
        probs[k] = max(situation.scores[k], 0.0)
        total += probs[k]
    for k in range(labels):
        share = probs[k] / total if total > 0.0 else 1.0 / labels
        probs[k] = (1.0 - explorer.gamma) * share + explorer.gamma / labels


@implements(marginals, Mixed)
def _(
    explorer: Mixed, situation: Situation, greedy_probs: Floats, work: Floats, out: Floats
) -> None:
    explore(explorer, situation, 0, out)
