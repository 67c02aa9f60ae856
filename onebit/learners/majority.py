"""Majority: the most frequent label so far, without reading rows."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.kernel.round import Label, Played, learn, score, true_count, true_label
from onebit.kernel.rows import Floats, Row, copy_values
from onebit.kernel.state import COUNTS, Axes
from onebit.kernel.verbs import implements
from onebit.learners import learner


@learner(hears=Label, row="nothing", widens=True, sets=True)
class Majority(NamedTuple):
    """The most frequent label so far, with full information: a baseline that ignores the rows.

    Where several labels are right, each of them counts.

    Reference: none; "follow the leader" among constant predictors.

    Guarantee: none against an adversary; on independent labels its error converges
    to one minus the share of the most frequent label.

    >>> from onebit import Agent
    >>> agent = Agent("majority", labels=["no", "yes"], seed=1)
    >>> agent.learn(agent.decide({}), truth="yes")
    >>> agent.predict({})
    'yes'
    """

    counts: Annotated[Floats, Axes("labels", within=COUNTS)]


@implements(score, Majority)
def _(learner: Majority, x: Row, out: Floats) -> None:
    copy_values(learner.counts, out)


@implements(learn, Majority)
def _(learner: Majority, x: Row, scores: Floats, played: Played, feedback: Label) -> None:
    for n in range(true_count(feedback)):
        learner.counts[true_label(feedback, n)] += 1.0
