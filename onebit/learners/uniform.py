"""Uniform: every label with the same probability, without learning."""

from __future__ import annotations

from typing import NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row
from onebit.kernel.verbs import implements
from onebit.learners import learner


@learner(hears=Bit, explorer="uniform", row="nothing", widens=True)
class Uniform(NamedTuple):
    """Every label with the same probability: the baseline that any learner must beat.

    Also a logging policy for collecting unbiased data.

    Reference: none; it plays the uniform distribution.

    Guarantee: on any stream with K labels its expected error is 1 - 1/K.

    >>> from onebit import Agent
    >>> Agent("uniform", labels=["a", "b", "c", "d"], seed=1).probabilities({})
    {'a': 0.25, 'b': 0.25, 'c': 0.25, 'd': 0.25}
    """


@implements(score, Uniform)
def _(learner: Uniform, x: Row, out: Floats) -> None:
    out[:] = 0.0


@implements(learn, Uniform)
def _(learner: Uniform, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    pass
