"""A user's own weak learner, in a module of their own: votes for what was true most often."""

from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements
from onebit.learners.weak import Copies, train, vote, weak


@weak
class Lazy(NamedTuple):
    """Says of every row what was true most often of its label."""

    leads: Annotated[np.ndarray, Axes("labels", "n")]
    n: Copies = 1


@implements(vote, Lazy)
def _(bank, x, out):
    for k in range(out.shape[0]):
        for i in range(out.shape[1]):
            out[k, i] = 1.0 if bank.leads[k, i] >= 0.0 else -1.0


@implements(train, Lazy)
def _(bank, x, label, y, weights):
    for i in range(weights.shape[0]):
        bank.leads[label, i] += y * weights[i]
