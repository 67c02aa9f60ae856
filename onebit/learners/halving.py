"""Halving: the majority vote of the consistent hypotheses."""

from __future__ import annotations

from onebit.kernel.round import Label, Played, learn, score, true_count, true_label
from onebit.kernel.rows import Dense, Floats
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.learners.shared.version_space import (
    VersionSpace,
    count_round,
    count_votes,
    remove_wrong,
)


@learner(hears=Label, row="advice", sets=True)
class Halving(VersionSpace):
    """Plays the majority vote of the hypotheses that were never wrong, with full information.

    Each mistake removes at least half of those that are left. When none is left, it raises
    an error; `weighted-majority` tolerates noise. Any of several right labels is right for a
    hypothesis; a round in which none is right teaches nothing.

    Reference: N. Littlestone, "Learning quickly when irrelevant attributes abound",
    Machine Learning 2 (1988), Algorithm 2.

    Guarantee: M <= log2 |H| if a hypothesis is always right, among several right labels too.

    >>> from onebit import Agent
    >>> agent = Agent("halving", labels=["no", "yes"], seed=1)
    >>> agent.predict([0, 1, 1])
    'yes'
    >>> agent.learn(agent.decide([0, 1, 1]), truth="no")
    >>> agent.predict([0, 1, 1])
    'no'
    """


@implements(score, Halving)
def _(learner: Halving, x: Dense, out: Floats) -> None:
    count_votes(learner.alive, x, out)


@implements(learn, Halving)
def _(learner: Halving, x: Dense, scores: Floats, played: Played, feedback: Label) -> None:
    remove_wrong(learner.alive, x, feedback)
    right = true_count(feedback)
    left = 0.0 if right > 0 else 1.0  # without a right label none is removed
    for n in range(right):
        left += float(scores[true_label(feedback, n)])
    count_round(learner.round_counts, int(left))
