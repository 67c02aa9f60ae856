"""Separable: a perceptron for each label, with a finite mistake bound on separable rows."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, add, dot
from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements
from onebit.learners import learner


@learner(hears=Bit, widens=True)
class Separable(NamedTuple):
    """A perceptron for each label, for rows that are separable without noise.

    It plays a label whose perceptron says yes (the one with the highest score), and if that was
    wrong subtracts the row; if all say no, it plays uniformly, and if that was right adds the row.
    No parameters. It needs rows that a linear function of each label separates from all others
    through the origin, so add a bias feature unless the rows have a constant (`--with bias`).
    Noise breaks it: one false bit or label undoes what was learned, and each false "yes" must
    be unlearned by mistakes; use `softmax` or `arow` if there is any.

    Reference: Beygelzimer, Pal, Szorenyi, Thiruvenkatachari, Wei and Zhang, "Bandit multiclass
    linear classification: efficient algorithms for the separable case", ICML 2019, Algorithm 1.

    Guarantee: E[M] <= (K - 1) floor(4 (R / margin)^2) for rows of norm at most R that are
    strongly separable: w_y . x >= margin / 2 and w_k . x <= -margin / 2 for all other k, where
    the squared norms of all w add up to at most 1.

    >>> from onebit import Agent
    >>> agent = Agent("separable", labels=["tea", "coffee"], seed=1)
    >>> for _ in range(9):
    ...     choice = agent.decide({"morning": 1})
    ...     agent.learn(choice, correct=choice.label == "coffee")
    >>> agent.predict({"morning": 1})
    'coffee'
    """

    weights: Annotated[Floats, Axes("features", "labels")]


@implements(score, Separable)
def _(learner: Separable, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)
    for k in range(out.shape[0]):
        if out[k] < 0.0:
            out[k] = -1.0  # of the labels that say no, any is as good as another


@implements(learn, Separable)
def _(learner: Separable, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    said_yes = scores[played.label] >= 0.0
    if said_yes and not feedback.correct:
        add(x, -1.0, learner.weights, played.label)
    elif feedback.correct and not said_yes:
        add(x, 1.0, learner.weights, played.label)
