"""A user's own learner whose scores estimate being right: how often each label was, so far."""

from typing import Annotated, NamedTuple

from onebit.kernel.round import Bit, learn, score
from onebit.kernel.rows import Floats
from onebit.kernel.state import COUNTS, Axes
from onebit.kernel.verbs import implements
from onebit.learners import learner


@learner(hears=Bit, explorer="fastcb", estimates=True)
class Hits(NamedTuple):
    """Counts how often each label was played, and right."""

    right: Annotated[Floats, Axes("labels", within=COUNTS)]
    played: Annotated[Floats, Axes("labels", within=COUNTS)]


@implements(score, Hits)
def _(learner, x, out):
    for k in range(out.shape[0]):
        out[k] = (learner.right[k] + 1.0 / out.shape[0]) / (learner.played[k] + 1.0)


@implements(learn, Hits)
def _(learner, x, scores, played, feedback):
    learner.played[played.label] += 1.0
    if feedback.correct:
        learner.right[played.label] += 1.0
