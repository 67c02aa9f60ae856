"""Swap: shows the best r labels, sometimes with one of them swapped for another."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.errors import BadParameter
from onebit.explorers import explorer
from onebit.kernel.block import Truths, relevance
from onebit.kernel.exploration import (
    Situation,
    counts_as_correct,
    explore,
    greedy_label,
    greedy_probs,
    is_picked,
    shown_labels,
)
from onebit.kernel.round import Played
from onebit.kernel.rows import Floats
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.naming.params import Real, Whole


@explorer
class Swap(NamedTuple):
    """The best r labels are shown; with probability gamma one of them is swapped for another.

    One of the r ranks is drawn uniformly: its label is the greedy label of the round. With
    probability 1 - gamma it is the played label; else one of the K - r labels outside, drawn
    uniformly, is played and shown in its place. The user picks one of the labels shown or
    none (`Agent.offer`, `Agent.pick`); the bit is whether the played one was picked. In a
    stream it is picked if it is right and no label shown is more relevant. A round
    is a mistake if no label shown is right. Equal scores rank by label number; with
    ties=first the first rank is always drawn. Probabilities are conditional on the rank.

    Reference: Kakade, Shalev-Shwartz and Tewari, ICML 2008, Section 6 (label ranking).
    """

    r: Annotated[int, Whole(1), "how many labels are shown, fewer than there are"] = 2
    gamma: Annotated[float, Real("(0, 1)"), "share of rounds that swap a label"] = 0.05

    def among_error(self, count: int) -> str | None:
        """Return why it cannot choose among so many labels, or None."""
        if count > self.r:
            return None
        return f"it shows r={self.r} labels, and must have more than that to choose among"

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Swap:
        """Return the explorer; raise BadInput if r is not below the number of labels."""
        if params["r"] >= sizes.labels:
            raise BadParameter(
                f"Swap: r must be below the number of labels, {sizes.labels}, got {params['r']}."
            )
        return initial_state(cls, sizes, params)


@kernel
def ranks_below(scores: Floats, label: int, other: int) -> bool:
    """Return whether a label ranks below another: by score, then by label number.

    A score that is nan, from weights that are too large, ranks as the lowest.
    """
    a = -math.inf if math.isnan(scores[label]) else scores[label]
    b = -math.inf if math.isnan(scores[other]) else scores[other]
    return a < b or (a == b and label > other)


@kernel
def label_at_rank(scores: Floats, rank: int) -> int:
    """Return the label at a rank, 0 being the best."""
    previous = -1
    for _ in range(rank + 1):
        best = -1
        for k in range(scores.shape[0]):
            below = previous < 0 or ranks_below(scores, k, previous)
            if below and (best < 0 or ranks_below(scores, best, k)):
                best = k
        previous = best
    return previous


@implements(greedy_label, Swap)
def _(explorer: Swap, scores: Floats, u: float) -> int:
    return label_at_rank(scores, int(u * explorer.r))  # type: ignore[no-any-return]


@implements(greedy_probs, Swap)
def _(explorer: Swap, scores: Floats, random_ties: bool, out: Floats) -> int:
    places = explorer.r if random_ties else 1
    for i in range(scores.shape[0]):
        out[i] = 0.0
    for place in range(places):
        out[label_at_rank(scores, place)] = 1.0 / places
    return places


@implements(explore, Swap)
def _(explorer: Swap, situation: Situation, greedy: int, probs: Floats) -> None:
    scores = situation.scores
    last_shown = label_at_rank(scores, explorer.r - 1)
    share = explorer.gamma / (probs.shape[0] - explorer.r)
    for k in range(probs.shape[0]):
        probs[k] = share if ranks_below(scores, k, last_shown) else 0.0
    probs[greedy] = 1.0 - explorer.gamma


@implements(shown_labels, Swap)
def _(explorer: Swap, scores: Floats, played: Played, out: Any) -> int:
    # in arrays, for it runs in Python alone: loops over many labels would take long
    ranked = np.where(np.isnan(scores), -np.inf, scores)
    best = np.argsort(-ranked, kind="stable")[: explorer.r]
    out[: explorer.r] = np.where(best == played.greedy, played.label, best)
    return explorer.r


@kernel
def best_relevance(explorer: Swap, truths: Truths, i: int, scores: Floats, played: Played) -> float:
    """Return the highest degree of relevance of the labels shown."""
    last_shown = label_at_rank(scores, explorer.r - 1)
    best = 0.0
    for k in range(scores.shape[0]):
        shown = k != played.greedy and not ranks_below(scores, k, last_shown)
        if shown or k == played.label:
            best = max(best, relevance(truths, i, k))
    return best


@implements(counts_as_correct, Swap)
def _(explorer: Swap, truths: Truths, i: int, scores: Floats, played: Played) -> bool:
    return best_relevance(explorer, truths, i, scores, played) > 0.0  # type: ignore[no-any-return]


@implements(is_picked, Swap)
def _(explorer: Swap, truths: Truths, i: int, scores: Floats, played: Played) -> bool:
    degree = relevance(truths, i, played.label)
    if degree == 0.0:
        return False
    return degree == best_relevance(explorer, truths, i, scores, played)  # type: ignore[no-any-return]
