"""Perceptron: the multiclass perceptron, with full information."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.kernel.round import Label, Played, learn, score
from onebit.kernel.rows import Floats, Row, add, dot
from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements
from onebit.learners import learner


@learner(hears=Label, widens=True)
class Perceptron(NamedTuple):
    """The multiclass perceptron with full information: the baseline for the Banditron.

    On a mistake it adds the row to the true label's weights and subtracts it
    from the predicted label's (Kesler's construction). No parameters.

    Reference: Rosenblatt, "The perceptron", Psychological Review 65 (1958);
    multiclass as in Kakade, Shalev-Shwartz and Tewari, ICML 2008, equations 2-3.

    Guarantee: M <= L + D + sqrt(L D) for rows of norm at most 1, where L is the
    hinge loss of any weights W and D = 2 ||W||^2; on separable rows M <= D.

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
    if feedback.truth != played.greedy:
        add(x, 1.0, learner.weights, feedback.truth)
        add(x, -1.0, learner.weights, played.greedy)
