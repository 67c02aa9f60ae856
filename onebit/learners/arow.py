"""AROW: one binary learner with a variance of every weight for each label."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from onebit.kernel.exploration import width
from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, dot, feature
from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.naming.params import Real


@learner(hears=Bit, widens=True)
class Arow(NamedTuple):
    """One-versus-all with adaptive regularization (AROW, diagonal), for the played label only.

    Each label has a binary learner that expects +1 for right and -1 for wrong, and a variance
    of each weight: weights that were changed often are changed less. The learner of the played
    label steps if its margin is below 1; the others learn nothing. Plays the best label by
    default, without exploration, and is among the best of the fast learners on real data; it
    offers confidence widths for the explorer `ucb`.

    Units: `rate` and the margin of 1 are in the unit of the rows; `--with unit` gives all rows
    norm 1.

    Reference: Crammer, Kulesza and Dredze, "Adaptive regularization of weight vectors", NIPS 2009
    (Figure 1, diagonal); one for each label as in Chen et al., ICDM 2009 (C-OVA).

    Guarantee: none known from one bit; without exploration it may play a wrong label forever.

    >>> from onebit import Agent
    >>> agent = Agent("arow", labels=["tea", "coffee"], seed=1)
    >>> for _ in range(5):
    ...     choice = agent.decide({"morning": 1})
    ...     agent.learn(choice, correct=choice.label == "coffee")
    >>> agent.predict({"morning": 1})
    'coffee'
    """

    weights: Annotated[Floats, Axes("features", "labels")]
    variances: Annotated[Floats, Axes("features", "labels", first=1.0, within="[0, 1]")]
    rate: Annotated[float, Real("(0, inf)"), "the higher, the smaller the steps (r)"] = 1.0


@kernel
def variance(learner: Arow, x: Row, label: int) -> float:
    """Return the variance of a label's score."""
    total = 0.0
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            total += x.values[n] * x.values[n] * learner.variances[feature(x, n), label]
    return total


@kernel
def step(learner: Arow, x: Row, label: int, y: float, margin: float) -> None:
    """Move the margin y z of a label towards 1, weights of high variance the most."""
    beta = 1.0 / (variance(learner, x, label) + learner.rate)
    alpha = (1.0 - margin) * beta * y
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            j = feature(x, n)
            spread = learner.variances[j, label] * x.values[n]
            learner.weights[j, label] += alpha * spread
            left = learner.variances[j, label] - beta * spread * spread
            learner.variances[j, label] = max(left, 0.0)


@implements(score, Arow)
def _(learner: Arow, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)


@implements(width, Arow)
def _(learner: Arow, x: Row, label: int) -> float:
    return math.sqrt(variance(learner, x, label))


@implements(learn, Arow)
def _(learner: Arow, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    y = 1.0 if feedback.correct else -1.0
    margin = y * scores[played.label]
    if margin < 1.0:
        step(learner, x, played.label, y, margin)
