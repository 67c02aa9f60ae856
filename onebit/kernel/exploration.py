"""The verbs of an explorer, and what it may look at when it turns scores into probabilities."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.kernel.block import Truths, is_right
from onebit.kernel.rng import best
from onebit.kernel.round import Feedback, Played
from onebit.kernel.rows import Floats, Row
from onebit.kernel.verbs import implements, verb

__all__ = [
    "AllLabels", "Situation", "SomeLabels", "adapt", "began_anew", "counts_as_correct", "explore",
    "greedy_label", "greedy_probs", "is_picked", "label_number", "marginals",
    "shown_labels", "width",
]  # fmt: skip


class AllLabels(NamedTuple):
    """Every label may be played: score number i is that of label i.

    Attributes
    ----------
    number : int
        How many labels there are.
    """

    number: int


class SomeLabels(NamedTuple):
    """Only some labels may be played: score number i is that of label numbers[i].

    Attributes
    ----------
    numbers : array of int64
        The label numbers, in ascending order.
    """

    numbers: npt.NDArray[np.int64]


class Situation(NamedTuple):
    """What an explorer may look at.

    Attributes
    ----------
    learner : NamedTuple
        The state of the learner.
    x : Row
        The row, as `conditioned` returned it.
    labels : AllLabels or SomeLabels
        The labels that may be played.
    scores : array of float64
        Their scores, in the same order.
    round : int
        The number of the round.
    """

    learner: Any
    x: Row
    labels: AllLabels | SomeLabels
    scores: Floats
    round: int


@verb
def label_number(labels: AllLabels | SomeLabels, i: int) -> Any:
    """Return the label that a score belongs to.

    Parameters
    ----------
    labels : AllLabels or SomeLabels
        The labels that may be played.
    i : int
        The position of the score.

    Returns
    -------
    int
        The label number.
    """


@implements(label_number, AllLabels)
def _(labels: AllLabels, i: int) -> int:
    return i


@implements(label_number, SomeLabels)
def _(labels: SomeLabels, i: int) -> int:
    return labels.numbers[i]  # type: ignore[no-any-return]


@verb
def explore(explorer: Any, situation: Situation, greedy: int, probs: Floats) -> None:
    """Set the probabilities of labels, given the greedy one; every explorer implements it.

    Labels are numbered as in `situation.scores`.

    Parameters
    ----------
    explorer : NamedTuple
        The state of the explorer.
    situation : Situation
        The learner, the row, the labels, their scores and the round.
    greedy : int
        The greedy label.
    probs : array of float64
        Set to the probabilities, which sum to 1.
    """


@verb
def greedy_label(explorer: Any, scores: Floats, u: float) -> Any:
    """Return the greedy label, around which is explored.

    Parameters
    ----------
    explorer : NamedTuple
        The state of the explorer.
    scores : array of float64
        The scores.
    u : float
        A uniform number in [0, 1) that breaks ties; 0 if ties=first.

    Returns
    -------
    int
        By default the label with the highest score, see `onebit.kernel.rng.best`.
    """


@implements(greedy_label, object)
def _(explorer: Any, scores: Floats, u: float) -> int:
    return best(scores, u)  # type: ignore[no-any-return]


@verb
def greedy_probs(explorer: Any, scores: Floats, random_ties: bool, out: Floats) -> Any:
    """Set the probabilities of being the greedy label; the distribution of `greedy_label`.

    An explorer that implements `greedy_label` implements it too.

    Parameters
    ----------
    explorer : NamedTuple
        The state of the explorer.
    scores : array of float64
        The scores.
    random_ties : bool
        Whether ties are broken at random.
    out : array of float64
        Set to the probability that each label is the greedy one.

    Returns
    -------
    int
        How many labels have a probability above 0.
    """


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
    """Set the probabilities of playing each label, over all labels that may be greedy.

    By default `explore` is called for each of these; an explorer may have a faster body.

    Parameters
    ----------
    explorer : NamedTuple
        The state of the explorer.
    situation : Situation
        As for `explore`.
    greedy_probs : array of float64
        The probability that each label is the greedy one.
    work : array of float64
        Scratch space for the probabilities given one greedy label.
    out : array of float64
        Set to the marginals.
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
def width(learner: Any, x: Row, label: int) -> Any:
    """Return the width of the confidence interval of a label's score; some learners implement it.

    Parameters
    ----------
    learner : NamedTuple
        The state of the learner.
    x : Row
        The row, which was scored just before.
    label : int
        The label.

    Returns
    -------
    float
        The width: the more the label was played on such rows, the smaller.
    """


@verb
def counts_as_correct(explorer: Any, truths: Truths, i: int, scores: Floats, played: Played) -> Any:
    """Return whether a round of a block is no mistake.

    Parameters
    ----------
    explorer : NamedTuple
        The state of the explorer.
    truths : Single or Multi
        The right labels of the block.
    i : int
        The position of the round in the block.
    scores : array of float64
        The scores of the round.
    played : Played
        What was played.

    Returns
    -------
    bool
        By default whether the played label is right.
    """


@implements(counts_as_correct, object)
def _(explorer: Any, truths: Truths, i: int, scores: Floats, played: Played) -> bool:
    return is_right(truths, i, played.label)  # type: ignore[no-any-return]


@verb
def is_picked(explorer: Any, truths: Truths, i: int, scores: Floats, played: Played) -> Any:
    """Return whether the user of a stream takes the played label: the bit of the round.

    Parameters
    ----------
    explorer : NamedTuple
        The state of the explorer.
    truths : Single or Multi
        The right labels of the block.
    i : int
        The position of the round in the block.
    scores : array of float64
        The scores of the round.
    played : Played
        What was played.

    Returns
    -------
    bool
        By default whether the played label is right.
    """


@implements(is_picked, object)
def _(explorer: Any, truths: Truths, i: int, scores: Floats, played: Played) -> bool:
    return is_right(truths, i, played.label)  # type: ignore[no-any-return]


@verb
def shown_labels(explorer: Any, scores: Floats, played: Played, out: Any) -> Any:
    """Find the labels that the user is shown, for `Agent.offer`.

    Parameters
    ----------
    explorer : NamedTuple
        The state of the explorer.
    scores : array of float64
        The scores.
    played : Played
        What was played.
    out : array of int64
        Its first elements are set to the labels, best first.

    Returns
    -------
    int
        How many labels are shown; by default 1, the played label.
    """


@implements(shown_labels, object)
def _(explorer: Any, scores: Floats, played: Played, out: Any) -> int:
    out[0] = played.label
    return 1


@verb
def adapt(explorer: Any, learner: Any, x: Row, played: Played, feedback: Feedback) -> None:
    """Let an explorer learn from a round, just before the learner does; by default nothing.

    Parameters
    ----------
    explorer : NamedTuple
        The state of the explorer; its arrays may be changed.
    learner : NamedTuple
        The state of the learner.
    x : Row
        The row.
    played : Played
        What was played.
    feedback : Bit, Label or LabelSet
        What the learner hears.
    """


@implements(adapt, object)
def _(explorer: Any, learner: Any, x: Row, played: Played, feedback: Feedback) -> None:
    pass


@verb
def began_anew(learner: Any) -> Any:
    """Return whether the learner reset its state in the last round that it learned; by default no.

    Parameters
    ----------
    learner : NamedTuple
        The state of the learner.

    Returns
    -------
    bool
        Whether an explorer should forget what it counted, too.
    """


@implements(began_anew, object)
def _(learner: Any) -> bool:
    return False
