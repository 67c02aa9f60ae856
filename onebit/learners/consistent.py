"""Consistent: the first hypothesis that was never wrong."""

from __future__ import annotations

from onebit.kernel.round import Label, Played, learn, score
from onebit.kernel.rows import Dense, Floats
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.learners.shared.version_space import VersionSpace, count_round, remove_wrong


@learner(hears=Label, row="advice", sets=True)
class Consistent(VersionSpace):
    """Plays the label of the first hypothesis that was never wrong, with full information.

    The simplest learner for a finite class with a perfect hypothesis; `halving` makes far
    fewer mistakes. When no hypothesis is left, it raises an error. Any of several right labels
    is right for a hypothesis; a round in which none is right teaches nothing.

    Reference: M. K. Hanawal, lecture notes on online learning, the recapitulation of lecture 13
    (starting at the first hypothesis).

    Guarantee: M <= |H| - 1 if a hypothesis is always right.

    >>> from onebit import Agent
    >>> agent = Agent("consistent", labels=["no", "yes"], seed=1)
    >>> agent.learn(agent.decide([0, 1, 1]), truth="yes")
    >>> agent.predict([0, 0, 1])
    'no'
    """


@implements(score, Consistent)
def _(learner: Consistent, x: Dense, out: Floats) -> None:
    out[:] = 0.0
    for i in range(learner.alive.shape[0]):
        if learner.alive[i]:
            out[int(x.values[i])] = 1.0
            break


@implements(learn, Consistent)
def _(learner: Consistent, x: Dense, scores: Floats, played: Played, feedback: Label) -> None:
    count_round(learner.round_counts, remove_wrong(learner.alive, x, feedback))
