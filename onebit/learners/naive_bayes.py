"""Naive Bayes: counts of features for each label, told the true label."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.learners import learner
from onebit.params import BadInput
from onebit.round import Label, Played, learn, score
from onebit.rows import Floats, Ints, Row, feature
from onebit.state import Axes, Sizes, first_state
from onebit.verbs import implements, kernel


@learner(hears=Label)
class NaiveBayes(NamedTuple):
    """Naive Bayes on categories, with full information: it counts, and needs no tuning.

    A column's value that a label had n times out of m scores (n + 1) / (m + V),
    V being how many values the column has; the label itself scores m + 1. Where
    the stream declares no columns, each feature is a column of two values: zero or not.
    Scores are logarithms, so that explorer=softmax plays the posterior. Scoring is as
    fast as a linear learner's; learning takes a moment for every feature.

    Reference: Maron, "Automatic indexing: an experimental inquiry", Journal of
    the ACM 8 (1961); Laplace's rule of succession for the counts.

    Guarantee: none where features depend on each other; if, given the label,
    they do not, it tends to the best possible error.

    >>> from onebit import Agent
    >>> agent = Agent("naive-bayes", labels=["spam", "ham"], features=3, seed=1)
    >>> agent.learn(agent.decide([1, 1, 0]), truth="spam")
    >>> agent.learn(agent.decide([0, 1, 1]), truth="ham")
    >>> agent.predict([1, 0, 0])
    'spam'
    """

    counts: Annotated[Floats, Axes("features", "labels")]  # how often a feature was not zero
    totals: Annotated[Floats, Axes("labels")]  # how often a label was true
    gains: Annotated[Floats, Axes("features", "labels")]  # what a feature adds to the score
    blanks: Annotated[Floats, Axes("labels")]  # the score of a row of zeros
    widths: Annotated[Ints, Axes("features", dtype="int32")]  # at a column's first feature; else 0
    values: Annotated[Ints, Axes("features", dtype="int32")]  # at a column's first feature

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> NaiveBayes:
        """Lay out the columns, and score as if nothing had been counted."""
        state = first_state(cls, sizes, params)
        state.widths[:], state.values[:] = 1, 2
        taken = np.zeros(sizes.features, np.int32)
        for first, width, values in sizes.columns:
            taken[first : first + width] += 1
            if not (0 <= first < first + width <= sizes.features and width <= values <= width + 1):
                raise BadInput(
                    "NaiveBayes: a column must lie within the row and have as many values as"
                    f" features or one more, got {(first, width, values)}."
                )
            state.widths[first : first + width] = 0
            state.widths[first], state.values[first] = width, values
        if taken.max() > 1:
            raise BadInput("NaiveBayes: no feature may be in two columns.")
        for label in range(sizes.labels):
            weigh(state, label)
        return state


@kernel
def weigh(learner: NaiveBayes, label: int) -> None:
    """Turn a label's counts into logarithms."""
    total = learner.totals[label]
    blank = math.log(total + 1.0)
    j = 0
    while j < learner.widths.shape[0]:
        width = learner.widths[j]
        seen = 0.0
        for i in range(j, j + width):
            seen += learner.counts[i, label]
        usual = math.log(total + learner.values[j])
        if learner.values[j] > width:  # no feature of the column set is a value like the others
            unset = math.log(max(total - seen, 0.0) + 1.0)
            blank += unset - usual
            usual = unset
        for i in range(j, j + width):
            learner.gains[i, label] = math.log(learner.counts[i, label] + 1.0) - usual
        j += width
    learner.blanks[label] = blank


@implements(score, NaiveBayes)
def _(learner: NaiveBayes, x: Row, out: Floats) -> None:
    out[:] = learner.blanks
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            j = feature(x, n)
            for k in range(out.shape[0]):
                out[k] += learner.gains[j, k]


@implements(learn, NaiveBayes)
def _(learner: NaiveBayes, x: Row, scores: Floats, played: Played, feedback: Label) -> None:
    learner.totals[feedback.truth] += 1.0
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            learner.counts[feature(x, n), feedback.truth] += 1.0
    weigh(learner, feedback.truth)
