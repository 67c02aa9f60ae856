"""One round, in four verbs and the small records that pass between them.

    x -score-> scores -explore-> probs -draw-> Played(greedy, label, prob)
    state <-learn(x, scores, Played, Bit)- right or wrong? <-hear-

`Played` says what was true when the label was played, and travels with the
decision. `Bit` holds no label: a learner that hears bits cannot peek.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from onebit.block import Block, truth
from onebit.rows import Floats, Row
from onebit.verbs import implements, verb


class Played(NamedTuple):
    """A label as it was played: the greedy one, the one drawn, and its prob."""

    greedy: int
    label: int
    prob: float


class Bit(NamedTuple):
    """One bit of feedback: whether the played label was right."""

    correct: bool


class Label(NamedTuple):
    """Full information, for the baselines: the true label."""

    truth: int


Feedback = Bit | Label


def ear(hears: type[Feedback]) -> Feedback:
    """Return a feedback that says nothing, of the type that a learner hears."""
    return Bit(False) if hears is Bit else Label(0)


@verb
def score(learner: Any, x: Row, out: Floats) -> None:
    """Set out[k] to how well label k fits x."""


@verb
def explore(explorer: Any, scores: Floats, greedy: int, round: int, probs: Floats) -> None:
    """Set probs[k] to the probability of playing label k."""


@verb
def learn(learner: Any, x: Row, scores: Floats, played: Played, feedback: Feedback) -> None:
    """Learn from a round; `scores` are the learner's own for x, computed just now."""


@verb
def hear(ear: Feedback, block: Block, i: int, correct: bool, labels: int) -> Any:
    """Return what a learner with this ear is told of round i: the ear's type decides."""


@implements(hear, Bit)
def _(ear: Bit, block: Block, i: int, correct: bool, labels: int) -> Bit:
    return Bit(correct != (block.signals[i] > 0))


@implements(hear, Label)
def _(ear: Label, block: Block, i: int, correct: bool, labels: int) -> Label:
    return Label((truth(block.truths, i) + block.signals[i]) % labels)
