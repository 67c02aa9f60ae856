"""A user's own learner, in a module of their own: plays what was right last time."""

from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.round import Bit, learn, score
from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.naming.params import Real


@learner(hears=Bit, explorer="epsilon", row="nothing")
class Copycat(NamedTuple):
    """Plays the label that was right most lately.

    Reference: none; an example of a learner in another package.

    Guarantee: none.

    >>> from onebit import Agent
    >>> agent = Agent(Copycat, labels=["left", "right"], seed=1)
    >>> agent.learn(agent.decide([1.0]), correct=True)
    """

    habit: Annotated[np.ndarray, Axes("labels")]
    forget: Annotated[float, Real("[0, 1]"), "how much of an old habit a round takes away"] = 0.5


@implements(score, Copycat)
def _(learner, x, out):
    out[:] = learner.habit


@implements(learn, Copycat)
def _(learner, x, scores, played, feedback):
    learner.habit[played.label] *= 1.0 - learner.forget
    if feedback.correct:
        learner.habit[played.label] += 1.0
