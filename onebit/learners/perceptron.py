"""Perceptron: the multiclass perceptron, with full information."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.kernel.round import Label, Played, is_true, learn, score, true_count, true_label
from onebit.kernel.rows import Floats, Row, add, dot
from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements
from onebit.learners import learner


@learner(hears=Label, widens=True, sets=True)
class Perceptron(NamedTuple):
    """The multiclass perceptron with full information: the baseline for the Banditron.

    On a mistake it adds the row to the true label's weights and subtracts it
    from the predicted label's (Kesler's construction). No parameters. Where several
    labels are right, any of them is no mistake, and on a mistake they get equal shares of the
    row; a round in which none is right teaches nothing.

    Reference: Rosenblatt, "The perceptron", Psychological Review 65 (1958);
    multiclass as in Kakade, Shalev-Shwartz and Tewari, ICML 2008, equations 2-3.

    Guarantee: M <= L + D + sqrt(L D) for rows of norm at most 1, where L is the
    hinge loss of any weights W and D = 2 ||W||^2; on separable rows M <= D. The same holds
    for sets of right labels, whose mean score then counts in the hinge loss.

    >>> from onebit import Agent
    >>> agent = Agent("perceptron", labels=["spam", "ham"], seed=1)
    >>> choice = agent.decide({"free": 1, "money": 1})
    >>> agent.learn(choice, truth="spam")
    >>> agent.predict({"free": 1})
    'spam'
    """

    weights: Annotated[Floats, Axes("features", "labels")]


@implements(score, Perceptron)
def _(learner: Perceptron, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)


@implements(learn, Perceptron)
def _(learner: Perceptron, x: Row, scores: Floats, played: Played, feedback: Label) -> None:
    right = true_count(feedback)
    if right > 0 and not is_true(feedback, played.greedy):
        for n in range(right):
            add(x, 1.0 / right, learner.weights, true_label(feedback, n))
        add(x, -1.0, learner.weights, played.greedy)
