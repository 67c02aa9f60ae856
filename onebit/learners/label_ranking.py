"""Label ranking: shows several labels, and learns if an explored one is picked."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, add, dot
from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements
from onebit.learners import learner


@learner(hears=Bit, explorer="swap")
class LabelRanking(NamedTuple):
    """Shows a list of r labels, and learns if the one swapped in is picked.

    For search boxes and menus with several suggestions. In a share of rounds one label of
    the list is replaced by one outside; if the user picks that one, the row is added to its
    weights and subtracted from those of the replaced label, both times the importance
    weight 1 / prob. Otherwise nothing is learned. Several labels may be right, to different
    degrees: the user picks the most relevant one shown (`news=3,arts=1` in a file, see
    docs/files.md; `Multi.degrees` of a block).

    Reference: Kakade, Shalev-Shwartz and Tewari, ICML 2008, Section 6 (label ranking), which
    says of the bound only that the Banditron's analysis can be generalised.

    Guarantee: with one right label in each round, E[M] <= L + gamma T / r + C + sqrt(C L), where
    M counts the rounds in which it is not shown, rows have norm at most 1, C = (K - r) D / gamma,
    and L and D = 2 ||W||^2 are the hinge loss and complexity of any weights W (our derivation by
    the Banditron's proof: `onebit bound label-ranking`). With several right labels, or degrees
    of relevance, none is known: a right label may be swapped out for one that is less so, and
    the weights then move the wrong way.

    >>> from onebit import Agent
    >>> agent = Agent("label-ranking", labels=["tea", "coffee", "milk", "juice"], r=2, seed=1)
    >>> offer = agent.offer({"morning": 1})
    >>> len(offer.shown)
    2
    >>> agent.pick(offer, "coffee" if "coffee" in offer.shown else None)
    """

    weights: Annotated[Floats, Axes("features", "labels")]


@implements(score, LabelRanking)
def _(learner: LabelRanking, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)


@implements(learn, LabelRanking)
def _(learner: LabelRanking, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    if feedback.correct and played.label != played.greedy:
        add(x, 1.0 / played.prob, learner.weights, played.label)
        add(x, -1.0 / played.prob, learner.weights, played.greedy)
