"""Swap: show the best few labels, one of them now and then swapped for another."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from onebit.errors import BadInput
from onebit.explorers import explorer
from onebit.kernel.block import Truths, is_right
from onebit.kernel.round import (
    Played,
    Situation,
    counts_as_correct,
    explore,
    greedy_label,
    greedy_probs,
    shown_labels,
)
from onebit.kernel.rows import Floats
from onebit.kernel.state import Sizes, initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.naming.params import Real, Whole


@explorer
class Swap(NamedTuple):
    """The best r labels are shown; with probability gamma one of them is swapped for another.

    A place among the r is drawn uniformly: its label is the greedy one of the
    round. With probability 1 - gamma it stays and is the played one; else each of the K - r
    labels outside is played in its place equally often. The user picks one of
    those shown or none (`Agent.offer`, `Agent.pick`), and the bit says whether it
    is the played one. A round is a mistake when no label shown is right. Equal scores rank by
    label number; `ties` decides nothing but, with ties=first, that the first place is
    always the one drawn. Probabilities are those after the place was drawn.

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
        """Refuse to show as many labels as there are."""
        if params["r"] >= sizes.labels:
            raise BadInput(
                f"Swap: r must be below the number of labels, {sizes.labels}, got {params['r']}."
            )
        return initial_state(cls, sizes, params)


@kernel
def follows(scores: Floats, label: int, other: int) -> bool:
    """Say whether a label ranks behind another: a lower score, or the same and a higher number."""
    return scores[label] < scores[other] or (scores[label] == scores[other] and label > other)


@kernel
def ranked(scores: Floats, place: int) -> int:
    """Return the label at a place of the ranking, 0 being the best."""
    last = -1
    for _ in range(place + 1):
        top = -1
        for k in range(scores.shape[0]):
            behind = last < 0 or follows(scores, k, last)
            if behind and (top < 0 or follows(scores, top, k)):
                top = k
        last = top
    return last


@implements(greedy_label, Swap)
def _(explorer: Swap, scores: Floats, u: float) -> int:
    return ranked(scores, int(u * explorer.r))  # type: ignore[no-any-return]


@implements(greedy_probs, Swap)
def _(explorer: Swap, scores: Floats, random_ties: bool, out: Floats) -> int:
    places = explorer.r if random_ties else 1
    for i in range(scores.shape[0]):
        out[i] = 0.0
    for place in range(places):
        out[ranked(scores, place)] = 1.0 / places
    return places


@implements(explore, Swap)
def _(explorer: Swap, situation: Situation, greedy: int, probs: Floats) -> None:
    scores = situation.scores
    lowest = ranked(scores, explorer.r - 1)
    share = explorer.gamma / (probs.shape[0] - explorer.r)
    for k in range(probs.shape[0]):
        probs[k] = share if follows(scores, k, lowest) else 0.0
    probs[greedy] = 1.0 - explorer.gamma


@implements(shown_labels, Swap)
def _(explorer: Swap, scores: Floats, played: Played, out: Any) -> int:
    for place in range(explorer.r):
        label = ranked(scores, place)
        out[place] = played.label if label == played.greedy else label
    return explorer.r


@implements(counts_as_correct, Swap)
def _(explorer: Swap, truths: Truths, i: int, scores: Floats, played: Played) -> bool:
    lowest = ranked(scores, explorer.r - 1)
    for k in range(scores.shape[0]):
        shown = k != played.greedy and not follows(scores, k, lowest)
        if (shown or k == played.label) and is_right(truths, i, k):
            return True
    return False
