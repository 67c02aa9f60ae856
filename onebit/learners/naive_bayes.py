"""Naive Bayes: counts of values and means of numbers for each label, told the true label."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

from onebit.kernel.round import Label, Played, learn, score
from onebit.kernel.rows import Floats, Ints, Row, feature
from onebit.kernel.state import NUMERIC, Axes, Sizes, all_columns, initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.shared.gaussian import include, likelihood, pool


@learner(hears=Label)
class NaiveBayes(NamedTuple):
    """Naive Bayes on categories, with full information: it counts, and needs no tuning.

    A column's value that a label had n times out of m scores (n + 1) / (m + V),
    V being how many values the column has; the label itself scores m + 1. A column of
    numbers is normally distributed for each label. Where the stream declares no
    columns, each feature is a column of two values: zero or not.
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
    means: Annotated[Floats, Axes("numbers", "labels")]
    spreads: Annotated[Floats, Axes("numbers", "labels")]
    number: Annotated[Ints, Axes("features", dtype="int32", kept=False)]  # which number; or -1
    seen: Annotated[Floats, Axes("numbers", kept=False)]
    widths: Annotated[Ints, Axes("features", dtype="int32")]  # at a column's first feature; else 0
    values: Annotated[Ints, Axes("features", dtype="int32")]  # at a column's first feature

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> NaiveBayes:
        """Lay out the columns, and score as if nothing had been counted."""
        columns = all_columns("naive-bayes", sizes)
        numbers = [column.first for column in columns if column.values == NUMERIC]
        state = initial_state(cls, sizes, {**params, "numbers": len(numbers)})
        for first, width, values in columns:
            state.widths[first], state.values[first] = width, values
        state.number[:] = -1
        state.number[numbers] = range(len(numbers))
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
        if learner.values[j] == NUMERIC:  # these are weighed with the row at hand
            j += width
            continue
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
    read(learner, x)
    for m in range(learner.seen.shape[0]):
        compare(learner, m, out)


@kernel
def read(learner: NaiveBayes, x: Row) -> None:
    """Note the numbers of a row."""
    learner.seen[:] = 0.0
    for n in range(x.values.shape[0] if learner.seen.shape[0] > 0 else 0):
        m = learner.number[feature(x, n)]
        if m >= 0:
            learner.seen[m] = x.values[n]


@kernel
def compare(learner: NaiveBayes, m: int, out: Floats) -> None:
    """Add how likely number m is for each label to the scores, if it has ever varied."""
    totals, means, spreads = learner.totals, learner.means[m], learner.spreads[m]
    total, usual, spread = 0.0, 0.0, 0.0
    for k in range(out.shape[0]):
        total, usual, spread = pool(total, usual, spread, totals[k], means[k], spreads[k])
    if spread > 0.0:
        for k in range(out.shape[0]):
            out[k] += likelihood(
                learner.seen[m], totals[k], means[k], spreads[k], usual, spread / total
            )


@implements(learn, NaiveBayes)
def _(learner: NaiveBayes, x: Row, scores: Floats, played: Played, feedback: Label) -> None:
    k = feedback.truth
    read(learner, x)
    for m in range(learner.seen.shape[0]):
        include(learner.totals[k], 1.0, learner.seen[m], learner.means[m], learner.spreads[m], k)
    learner.totals[k] += 1.0
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            learner.counts[feature(x, n), k] += 1.0
    weigh(learner, k)
