"""UCB: the label with the highest upper confidence bound."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.explorers import explorer
from onebit.kernel.exploration import Situation, explore, label_number, marginals, width
from onebit.kernel.rows import Floats
from onebit.kernel.verbs import implements
from onebit.naming.params import Real


@explorer(needs="widths")
class Ucb(NamedTuple):
    """The label with the highest score + width_scale times its confidence width.

    The width is the learner's own. Labels with equal bounds are played with equal
    probability, whatever `ties` says.

    Reference: Auer, "Using confidence bounds for exploitation-exploration trade-offs", JMLR 3
    (2002), and the linear form of Li, Chu, Langford and Schapire, WWW 2010 (LinUCB).
    """

    width_scale: Annotated[float, Real("[0, inf)"), "the higher, the more it explores"] = 1.0


@implements(explore, Ucb)
def _(explorer: Ucb, situation: Situation, greedy: int, probs: Floats) -> None:
    highest, ties = 0.0, 0
    for k in range(probs.shape[0]):
        wide = width(situation.learner, situation.x, label_number(situation.labels, k))
        probs[k] = situation.scores[k] + explorer.width_scale * wide
        if ties == 0 or probs[k] > highest:
            highest, ties = probs[k], 1
        elif probs[k] == highest:
            ties += 1
    for k in range(probs.shape[0]):
        probs[k] = 1.0 / ties if probs[k] == highest else 0.0


@implements(marginals, Ucb)
def _(explorer: Ucb, situation: Situation, greedy_probs: Floats, work: Floats, out: Floats) -> None:
    explore(explorer, situation, 0, out)
