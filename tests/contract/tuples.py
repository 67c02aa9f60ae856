"""Learners that hold states in a plain tuple, of which the last one counts rounds."""

from typing import Annotated, NamedTuple

import numpy as np
from contract.broken import Weights, banditron, linear

from onebit.kernel.round import Bit, learn, score
from onebit.kernel.state import SCRATCH, Axes, initial_state
from onebit.kernel.verbs import implements
from onebit.learners import learner


class Saved(NamedTuple):
    """A count that is saved."""

    count: Annotated[np.ndarray, Axes(1)]


class Unsaved(NamedTuple):
    """A count that is remembered, but declared as what is overwritten before it is read."""

    count: Annotated[np.ndarray, Axes(1, role=SCRATCH)]


def begin(cls, sizes, params, *kinds):
    parts = tuple(initial_state(kind, sizes, {}) for kind in kinds)
    return initial_state(cls, sizes, params, parts=parts)


@learner(hears=Bit, explorer="epsilon")
class BothSaved(NamedTuple):
    weights: Weights
    parts: tuple

    @classmethod
    def begin(cls, sizes, seed, params):
        return begin(cls, sizes, params, Saved, Saved)


@learner(hears=Bit, explorer="epsilon")
class OneSaved(NamedTuple):
    weights: Weights
    parts: tuple

    @classmethod
    def begin(cls, sizes, seed, params):
        return begin(cls, sizes, params, Saved, Unsaved)


for kind in (BothSaved, OneSaved):

    @implements(score, kind)
    def _(learner, x, out):
        linear(learner, x, out)

    @implements(learn, kind)
    def _(learner, x, scores, played, feedback):
        banditron(learner, x, played, feedback)
        learner.parts[-1].count[0] += 1.0
        learner.weights[0, 0] += learner.parts[-1].count[0]
