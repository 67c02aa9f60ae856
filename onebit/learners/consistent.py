"""Consistent: do what a hypothesis says that was never wrong."""

from __future__ import annotations

from onebit.kernel.round import Label, Played, learn, score
from onebit.kernel.rows import Dense, Floats
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.learners.shared.version_space import VersionSpace, keep_right, note


@learner(hears=Label, row="advice")
class Consistent(VersionSpace):
    """Plays what the first hypothesis says that was never wrong, told the true label.

    The simplest way to learn from a finite class that holds the truth; `halving`
    makes far fewer mistakes. When no hypothesis is left, it says so and stops.

    Reference: O. Dekel, lecture notes on online learning, the consistent algorithm
    (starting at the first hypothesis with V_1 = H).

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
    note(learner.ledger, keep_right(learner.alive, x, feedback.truth))
