"""One round: the verbs that make it up, and the records that pass between them.

    x -score-> scores -greedy_label, explore-> probs -draw-> Played(greedy, label, prob)
    state <-adapt, learn- Bit(correct) <-feedback_for- right or wrong?

`Played` has what was true when the label was played, and is kept with the decision. `Bit` holds no
label: a learner that hears bits cannot see the true one.

Deciding changes nothing that is remembered: a learner's state changes in `learn`, an explorer's in
`adapt`, both when feedback arrives. A learner implements `score` and `learn`; an explorer
implements `explore`; the other verbs have a default.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from onebit.kernel.block import Block, Multi, Single, Truths
from onebit.kernel.rows import Floats, Ints, Row
from onebit.kernel.verbs import implements, verb

__all__ = [
    "Bit", "Feedback", "Label", "LabelSet", "Played", "conditioned", "is_true", "learn",
    "score", "true_count", "true_label", "unwrapped",
]  # fmt: skip

#: The lowest probability of a label that was played elsewhere: sums of its inverse must be finite.
LEAST_PROB = 1e-100


class Played(NamedTuple):
    """What was played in a round, in label numbers.

    Attributes
    ----------
    greedy : int
        The label around which was explored.
    label : int
        The label that was drawn.
    prob : float
        The probability of `label` given that `greedy` was the greedy one.
    """

    greedy: int
    label: int
    prob: float


class Bit(NamedTuple):
    """One bit of feedback.

    Attributes
    ----------
    correct : bool
        Whether the played label was right.
    """

    correct: bool


class Label(NamedTuple):
    """Full information, for baselines.

    Attributes
    ----------
    truth : int
        The number of the true label.
    """

    truth: int


class LabelSet(NamedTuple):
    """Full information in a round with any number of right labels, for learners that take sets.

    A body asks `is_true`, `true_count` and `true_label`, which take a `Label` as well.

    Attributes
    ----------
    labels : array of int32
        The numbers of the right labels, all different.
    shift : int
        What is added to each of them, modulo `number`, if the feedback is false; else 0.
    number : int
        The number of labels that there are.
    """

    labels: Ints
    shift: int
    number: int


#: What a learner hears.
Feedback = Bit | Label | LabelSet


def empty_feedback(hears: type[Feedback]) -> Feedback:
    """Return a feedback without information, of the type that a learner hears."""
    return Bit(False) if hears is Bit else Label(0)


@verb
def score(learner: Any, x: Row, out: Floats) -> None:
    """Score every label for a row; every learner implements it.

    It changes scratch arrays alone, nothing that is remembered.

    Parameters
    ----------
    learner : NamedTuple
        The state of the learner.
    x : Row
        The row.
    out : array of shape (labels,)
        Set to the scores: the higher, the better the label fits.
    """


@verb
def conditioned(learner: Any, x: Row) -> Any:
    """Return the row as the learner uses it; called after `score` of the same row.

    Parameters
    ----------
    learner : NamedTuple
        The state of the learner.
    x : Row
        The row.

    Returns
    -------
    Row
        x itself by default.
    """


@implements(conditioned, object)
def _(learner: Any, x: Row) -> Row:
    return x


@verb
def unwrapped(learner: Any) -> Any:
    """Return the learner that scores labels, for one that holds another to change its rows.

    Parameters
    ----------
    learner : NamedTuple
        The state of the learner.

    Returns
    -------
    NamedTuple
        The learner itself by default.
    """


@implements(unwrapped, object)
def _(learner: Any) -> Any:
    return learner


@verb
def learn(learner: Any, x: Row, scores: Floats, played: Played, feedback: Feedback) -> None:
    """Learn from a round; every learner implements it.

    Parameters
    ----------
    learner : NamedTuple
        The state of the learner; its arrays are changed.
    x : Row
        The row.
    scores : array of shape (labels,)
        The learner's scores of the row, computed just before.
    played : Played
        What was played, maybe many rounds ago.
    feedback : Bit, Label or LabelSet
        What the learner hears.
    """


@verb
def is_true(feedback: Any, label: int) -> Any:
    """Return whether full information says that a label is right.

    Parameters
    ----------
    feedback : Label or LabelSet
        What the learner hears.
    label : int
        A label number.

    Returns
    -------
    bool
        True if it is.
    """


@verb
def true_count(feedback: Any) -> Any:
    """Return how many labels are right by full information.

    Parameters
    ----------
    feedback : Label or LabelSet
        What the learner hears.

    Returns
    -------
    int
        1 for a `Label`.
    """


@verb
def true_label(feedback: Any, n: int) -> Any:
    """Return one of the right labels.

    Parameters
    ----------
    feedback : Label or LabelSet
        What the learner hears.
    n : int
        Which one, below `true_count`.

    Returns
    -------
    int
        Its number.
    """


@implements(is_true, Label)
def _(feedback: Label, label: int) -> bool:
    return feedback.truth == label


@implements(true_count, Label)
def _(feedback: Label) -> int:
    return 1


@implements(true_label, Label)
def _(feedback: Label, n: int) -> int:
    return feedback.truth


@implements(is_true, LabelSet)
def _(feedback: LabelSet, label: int) -> bool:
    for n in range(feedback.labels.shape[0]):
        if (feedback.labels[n] + feedback.shift) % feedback.number == label:
            return True
    return False


@implements(true_count, LabelSet)
def _(feedback: LabelSet) -> int:
    return feedback.labels.shape[0]  # type: ignore[no-any-return]


@implements(true_label, LabelSet)
def _(feedback: LabelSet, n: int) -> int:
    return (feedback.labels[n] + feedback.shift) % feedback.number  # type: ignore[no-any-return]


@verb
def feedback_for(kind: Feedback, block: Block, i: int, picked: bool, labels: int) -> Any:
    """Return what a learner that hears feedback of this type is given for round i.

    `picked` is whether the user took the played label.
    """


@implements(feedback_for, Bit)
def _(kind: Bit, block: Block, i: int, picked: bool, labels: int) -> Bit:
    return Bit(picked != (block.signals[i] > 0))


@implements(feedback_for, Label)
def _(kind: Label, block: Block, i: int, picked: bool, labels: int) -> Any:
    return full_information(block.truths, i, block.signals[i], labels)


@verb
def full_information(truths: Truths, i: int, shift: int, labels: int) -> Any:
    """Return the right labels of round i, each moved by `shift`."""


@implements(full_information, Single)
def _(truths: Single, i: int, shift: int, labels: int) -> Label:
    return Label((truths.labels[i] + shift) % labels)


@implements(full_information, Multi)
def _(truths: Multi, i: int, shift: int, labels: int) -> LabelSet:
    return LabelSet(truths.labels[truths.starts[i] : truths.starts[i + 1]], shift, labels)


@verb
def feedback_from(kind: Feedback, heard: int) -> Any:
    """Return a feedback of this type from a number: the bit, or the number of the true label."""


@implements(feedback_from, Bit)
def _(kind: Bit, heard: int) -> Bit:
    return Bit(heard != 0)


@implements(feedback_from, Label)
def _(kind: Label, heard: int) -> Label:
    return Label(heard)
