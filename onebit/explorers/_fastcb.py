"""The kernel of explorers that play by FastCB (Foster and Krishnamurthy, NeurIPS 2021)."""

from __future__ import annotations

from onebit.kernel.rows import Floats
from onebit.kernel.verbs import kernel


@kernel
def fastcb_prob(best: float, estimate: float, labels: int, gamma: float) -> float:
    """Return the probability of a label that is not the greedy one.

    `best` and `estimate` are the estimates of being right, of the greedy label and of this one.
    With costs c = 1 - estimate it is c_best / (K c_best + gamma (c - c_best)).
    """
    if estimate >= best:
        return 1.0 / labels
    cost = max(1.0 - best, 0.0)
    return cost / (labels * cost + gamma * (best - estimate))


@kernel
def set_fastcb(scores: Floats, greedy: int, gamma: float, probs: Floats) -> None:
    """Set the probabilities of FastCB; the greedy label gets the rest."""
    rest = 1.0
    for k in range(probs.shape[0]):
        if k != greedy:
            probs[k] = fastcb_prob(scores[greedy], scores[k], probs.shape[0], gamma)
            rest -= probs[k]
    probs[greedy] = rest
