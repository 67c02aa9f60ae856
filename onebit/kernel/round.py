"""One round, in a few verbs and the small records that pass between them.

    x -score-> scores -lead, explore-> probs -draw-> Played(greedy, label, prob)
    state <-learn(x, scores, Played, Bit)- right or wrong? <-hear-

`Played` says what was true when the label was played, and travels with the
decision. `Bit` holds no label: a learner that hears bits cannot peek.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from onebit.kernel.block import Block, Truths, is_right, truth
from onebit.kernel.rng import best
from onebit.kernel.rows import Floats, Row
from onebit.kernel.verbs import implements, verb


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


def empty_feedback(hears: type[Feedback]) -> Feedback:
    """Return a feedback that says nothing, of the type that a learner hears."""
    return Bit(False) if hears is Bit else Label(0)


@verb
def score(learner: Any, x: Row, out: Floats) -> None:
    """Set out[k] to how well label k fits x."""


@verb
def explore(explorer: Any, scores: Floats, greedy: int, round: int, probs: Floats) -> None:
    """Set probs[k] to the probability of playing label k."""


@verb
def greedy_label(explorer: Any, scores: Floats, u: float) -> Any:
    """Return the greedy label, around which is explored; u in [0, 1) decides what is open."""


@implements(greedy_label, object)
def _(explorer: Any, scores: Floats, u: float) -> int:
    return best(scores, u)  # type: ignore[no-any-return]


@verb
def counts_as_correct(explorer: Any, truths: Truths, i: int, scores: Floats, played: Played) -> Any:
    """Say whether what was played in round i was right, so that the round is no mistake."""


@implements(counts_as_correct, object)
def _(explorer: Any, truths: Truths, i: int, scores: Floats, played: Played) -> bool:
    return is_right(truths, i, played.label)  # type: ignore[no-any-return]


@verb
def shown_labels(explorer: Any, scores: Floats, played: Played, out: Any) -> Any:
    """Put the labels that the user is shown into out, best first; return how many they are."""


@implements(shown_labels, object)
def _(explorer: Any, scores: Floats, played: Played, out: Any) -> int:
    out[0] = played.label
    return 1


@verb
def learn(learner: Any, x: Row, scores: Floats, played: Played, feedback: Feedback) -> None:
    """Learn from a round; `scores` are the learner's own for x, computed just now."""


@verb
def feedback_for(
    empty_feedback: Feedback, block: Block, i: int, played: Played, labels: int
) -> Any:
    """Return what a learner with this ear is told of round i: the ear's type decides."""


@implements(feedback_for, Bit)
def _(empty_feedback: Bit, block: Block, i: int, played: Played, labels: int) -> Bit:
    return Bit(is_right(block.truths, i, played.label) != (block.signals[i] > 0))


@implements(feedback_for, Label)
def _(empty_feedback: Label, block: Block, i: int, played: Played, labels: int) -> Label:
    return Label((truth(block.truths, i) + block.signals[i]) % labels)
