"""One round: the verbs that make it up, and the records that pass between them.

    x -score-> scores -greedy_label, explore-> probs -draw-> Played(greedy, label, prob)
    state <-learn(x, scores, Played, Bit)- right or wrong? <-feedback_for-

`Played` says what was true when the label was played, and travels with the
decision. `Bit` holds no label: a learner that hears bits cannot peek.

Deciding changes nothing that is remembered: a learner's state changes in `learn`, an
explorer's in `adapt`, both of them when feedback arrives.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.kernel.block import Block, Truths, is_right, truth
from onebit.kernel.rng import best
from onebit.kernel.rows import Floats, Row
from onebit.kernel.verbs import implements, verb


class Played(NamedTuple):
    """A label as it was played: the greedy one, the one drawn, and its prob given the greedy."""

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


class AllLabels(NamedTuple):
    """Every label may be played: score number i is that of label i."""

    number: int


class SomeLabels(NamedTuple):
    """Only these labels may be played, in ascending order: score number i is that of numbers[i]."""

    numbers: npt.NDArray[np.int64]


class Situation(NamedTuple):
    """What an explorer may look at: the learner, its row, the labels, their scores, the round."""

    learner: Any
    x: Row
    labels: AllLabels | SomeLabels
    scores: Floats
    round: int


def empty_feedback(hears: type[Feedback]) -> Feedback:
    """Return a feedback that says nothing, of the type that a learner hears."""
    return Bit(False) if hears is Bit else Label(0)


@verb
def score(learner: Any, x: Row, out: Floats) -> None:
    """Set out[k] to how well label k fits x; changes nothing but scratch arrays."""


@verb
def conditioned(learner: Any, x: Row) -> Any:
    """Return the row as the learner sees it, after `score` was called for x."""


@implements(conditioned, object)
def _(learner: Any, x: Row) -> Row:
    return x


@verb
def label_number(labels: AllLabels | SomeLabels, i: int) -> Any:
    """Return the label that score number i is of."""


@implements(label_number, AllLabels)
def _(labels: AllLabels, i: int) -> int:
    return i


@implements(label_number, SomeLabels)
def _(labels: SomeLabels, i: int) -> int:
    return labels.numbers[i]  # type: ignore[no-any-return]


@verb
def explore(explorer: Any, situation: Situation, greedy: int, probs: Floats) -> None:
    """Set probs[i] to the probability of playing label i when `greedy` is the greedy one.

    Labels are numbered as in `situation.scores`.
    """


@verb
def greedy_label(explorer: Any, scores: Floats, u: float) -> Any:
    """Return the greedy label, around which is explored; u in [0, 1) breaks ties."""


@implements(greedy_label, object)
def _(explorer: Any, scores: Floats, u: float) -> int:
    return best(scores, u)  # type: ignore[no-any-return]


@verb
def greedy_probs(explorer: Any, scores: Floats, random_ties: bool, out: Floats) -> Any:
    """Set out[i] to the probability that label i is the greedy one; return how many may be."""


@implements(greedy_probs, object)
def _(explorer: Any, scores: Floats, random_ties: bool, out: Floats) -> int:
    first = best(scores, 0.0)
    ties = 0
    for i in range(scores.shape[0]):
        out[i] = 0.0
        if scores[i] == scores[first]:
            ties += 1
    if ties <= 1 or not random_ties:
        out[first] = 1.0
        return 1
    for i in range(scores.shape[0]):
        if scores[i] == scores[first]:
            out[i] = 1.0 / ties
    return ties


@verb
def marginals(
    explorer: Any, situation: Situation, greedy_probs: Floats, work: Floats, out: Floats
) -> None:
    """Set out[i] to the probability of playing label i, whichever label is the greedy one.

    The default calls `explore` for every label that may be greedy; an explorer for which there
    is a shorter way has a body of its own.
    """


@implements(marginals, object)
def _(explorer: Any, situation: Situation, greedy_probs: Floats, work: Floats, out: Floats) -> None:
    for i in range(out.shape[0]):
        out[i] = 0.0
    for g in range(out.shape[0]):
        if greedy_probs[g] > 0.0:
            explore(explorer, situation, g, work)
            for i in range(out.shape[0]):
                out[i] += greedy_probs[g] * work[i]


@verb
def counts_as_correct(explorer: Any, truths: Truths, i: int, scores: Floats, played: Played) -> Any:
    """Return whether what was played in round i was right, so that the round is no mistake."""


@implements(counts_as_correct, object)
def _(explorer: Any, truths: Truths, i: int, scores: Floats, played: Played) -> bool:
    return is_right(truths, i, played.label)  # type: ignore[no-any-return]


@verb
def shown_labels(explorer: Any, scores: Floats, played: Played, out: Any) -> Any:
    """Write the labels that the user is shown into out, best first; return how many they are."""


@implements(shown_labels, object)
def _(explorer: Any, scores: Floats, played: Played, out: Any) -> int:
    out[0] = played.label
    return 1


@verb
def learn(learner: Any, x: Row, scores: Floats, played: Played, feedback: Feedback) -> None:
    """Learn from a round; `scores` are the learner's own for x, computed just now."""


@verb
def learn_among(
    learner: Any,
    x: Row,
    scores: Floats,
    played: Played,
    feedback: Feedback,
    among: npt.NDArray[np.int64],
) -> None:
    """Learn from a round in which only some labels could be played; by default as from any."""


@implements(learn_among, object)
def _(
    learner: Any,
    x: Row,
    scores: Floats,
    played: Played,
    feedback: Feedback,
    among: npt.NDArray[np.int64],
) -> None:
    learn(learner, x, scores, played, feedback)


@verb
def adapt(explorer: Any, learner: Any, x: Row, played: Played, feedback: Feedback) -> None:
    """Let an explorer with a state learn from a round, just before the learner does."""


@implements(adapt, object)
def _(explorer: Any, learner: Any, x: Row, played: Played, feedback: Feedback) -> None:
    pass


@verb
def feedback_for(kind: Feedback, block: Block, i: int, played: Played, labels: int) -> Any:
    """Return what a learner that hears feedback of this type is given for round i."""


@implements(feedback_for, Bit)
def _(kind: Bit, block: Block, i: int, played: Played, labels: int) -> Bit:
    return Bit(is_right(block.truths, i, played.label) != (block.signals[i] > 0))


@implements(feedback_for, Label)
def _(kind: Label, block: Block, i: int, played: Played, labels: int) -> Label:
    return Label((truth(block.truths, i) + block.signals[i]) % labels)


@verb
def feedback_from(kind: Feedback, heard: int) -> Any:
    """Return a feedback of this type from a number: the bit, or the number of the true label."""


@implements(feedback_from, Bit)
def _(kind: Bit, heard: int) -> Bit:
    return Bit(heard != 0)


@implements(feedback_from, Label)
def _(kind: Label, heard: int) -> Label:
    return Label(heard)
