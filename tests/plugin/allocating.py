"""A learner and an explorer of another package that create arrays in their bodies."""

from typing import Annotated, NamedTuple

import numpy as np

from onebit.explorers import explorer
from onebit.kernel.exploration import adapt, explore
from onebit.kernel.round import Bit, conditioned, learn, score
from onebit.kernel.rows import Floats
from onebit.kernel.state import COUNTS, Axes
from onebit.kernel.verbs import implements
from onebit.learners import learner


@learner(hears=Bit, explorer="epsilon")
class Allocating(NamedTuple):
    """Counts how often each label was right."""

    counts: Annotated[Floats, Axes("labels", within=COUNTS)]


@implements(score, Allocating)
def _(learner, x, out):
    zeros = np.zeros(out.shape[0])
    out[:] = learner.counts + zeros


@implements(learn, Allocating)
def _(learner, x, scores, played, feedback):
    row = conditioned(learner, x)
    if feedback.correct:
        learner.counts[played.label] += row.values.copy()[0]


@explorer
class AllocatingExplorer(NamedTuple):
    """Mixes in the uniform distribution, and adds up the first feature."""

    total: Annotated[Floats, Axes(1)]


@implements(explore, AllocatingExplorer)
def _(explorer, situation, greedy, probs):
    same = situation.scores.copy() * 0.0
    probs[:] = 0.5 / probs.shape[0] + same
    probs[greedy] += 0.5


@implements(adapt, AllocatingExplorer)
def _(explorer, learner, x, played, feedback):
    row = conditioned(learner, x)
    explorer.total[0] += row.values.sum()
