"""Passive-aggressive: the smallest step to margin 1, with full information."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.kernel.round import Feedback, Label, Played, is_true, learn, score
from onebit.kernel.rows import Floats, Row, add, dot, squared_norm
from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.naming.params import Real


@learner(hears=Label, widens=True, sets=True)
class Pa(NamedTuple):
    """The multiclass passive-aggressive learner (PA-I) with full information.

    If the true label's score exceeds every other by a margin of 1, nothing changes;
    otherwise the weights of the true label and of the best other label take the smallest step
    to that margin, at most c. Where several labels are right, the margin is that of the right
    label with the lowest score over the best wrong one, and these two take the step; a round in
    which all or none are right teaches nothing. Usually better than the Perceptron; the
    baseline with full information for `margin-bandit`.

    Units: the largest step c and the margin of 1 are in the unit of the rows; `--with unit` gives
    all rows norm 1.

    Reference: Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, "Online
    passive-aggressive algorithms", JMLR 7 (2006), PA-I with the multiclass
    prediction and the sets of relevant labels of its Section 7.

    Guarantee: on rows of norm at most R the number of mistakes is at most
    max(2 R^2, 1 / c) times (||W||^2 + 2 c L) for any weights W, where L is
    their multiclass hinge loss (Theorem 4, rows doubled by Kesler's construction), for sets
    that of the margin above.

    >>> from onebit import Agent
    >>> agent = Agent("pa", labels=["spam", "ham"], seed=1)
    >>> agent.learn(agent.decide({"free": 1, "money": 1}), truth="spam")
    >>> agent.predict({"free": 1})
    'spam'
    """

    weights: Annotated[Floats, Axes("features", "labels")]
    c: Annotated[float, Real("(0, inf)"), "largest step"] = 1.0


@kernel
def best_other_label(scores: Floats, label: int) -> int:
    """Return the label with the highest score except `label`; the first if several are equal."""
    best = 1 if label == 0 else 0
    for k in range(best + 1, scores.shape[0]):
        if k != label and scores[k] > scores[best]:
            best = k
    return best


@kernel
def closest_pair(scores: Floats, feedback: Feedback) -> tuple[int, int]:
    """Return the right label with the lowest and the wrong one with the highest score; -1: none."""
    label, rival = -1, -1
    for k in range(scores.shape[0]):
        if is_true(feedback, k):
            if label < 0 or scores[k] < scores[label]:
                label = k
        elif rival < 0 or scores[k] > scores[rival]:
            rival = k
    return label, rival


@kernel
def step_to_margin(x: Row, scores: Floats, label: int, rival: int, c: float) -> float:
    """Return the step of PA-I that gives `label` a margin of 1 over `rival`, at most c."""
    loss = 1.0 - scores[label] + scores[rival]
    length = squared_norm(x)
    return min(c, loss / (2.0 * length)) if loss > 0.0 and length > 0.0 else 0.0


@implements(score, Pa)
def _(learner: Pa, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)


@implements(learn, Pa)
def _(learner: Pa, x: Row, scores: Floats, played: Played, feedback: Label) -> None:
    label, rival = closest_pair(scores, feedback)
    if label >= 0 and rival >= 0:
        step = step_to_margin(x, scores, label, rival, learner.c)
        if step > 0.0:
            add(x, step, learner.weights, label)
            add(x, -step, learner.weights, rival)
