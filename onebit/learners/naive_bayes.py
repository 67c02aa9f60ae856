"""Naive Bayes: counts of values and Gaussian numbers for each label, with full information."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

from onebit.kernel.round import Label, Played, learn, score, true_count, true_label
from onebit.kernel.rows import Floats, Ints, Row, copy_values, feature
from onebit.kernel.sizes import NUMERIC, Sizes, all_columns
from onebit.kernel.state import CONSTANT, DERIVED, SCRATCH, Axes, initial_state
from onebit.kernel.verbs import entry, implements, kernel
from onebit.learners import learner
from onebit.learners.shared.gaussian import add_number, log_likelihood, merge_groups


@learner(hears=Label, scales_rows=True, sets=True)
class NaiveBayes(NamedTuple):
    """Naive Bayes on categorical columns, with full information and no parameters.

    A value that occurred in n of a label's m rows has probability (n + 1) / (m + V), where V
    is the number of values of its column; the label's prior is proportional to m + 1. A
    numeric column is normally distributed given the label. Features in no declared
    column are columns of two values: zero or not. A row of which several labels are right
    counts as a row of each.
    Scores are log-probabilities, so that explorer=softmax samples from the posterior. Scoring
    is as fast as with a linear learner; learning takes time proportional to all features.

    Reference: Maron, "Automatic indexing: an experimental inquiry", Journal of
    the ACM 8 (1961); Laplace's rule of succession for the counts.

    Guarantee: none if columns are dependent; if they are independent given the label, its
    error converges to the Bayes error.

    >>> from onebit import Agent
    >>> agent = Agent("naive-bayes", labels=["spam", "ham"], features=3, seed=1)
    >>> agent.learn(agent.decide([1, 1, 0]), truth="spam")
    >>> agent.learn(agent.decide([0, 1, 1]), truth="ham")
    >>> agent.predict([1, 0, 0])
    'spam'
    """

    #: Rows of a label in which a feature is not zero, and all of them.
    counts: Annotated[Floats, Axes("features", "labels", within="[0, inf)")]
    totals: Annotated[Floats, Axes("labels", within="[0, inf)")]
    #: What a feature adds to the score of a row, and the score of a row of zeros.
    log_ratios: Annotated[Floats, Axes("features", "labels", role=DERIVED)]
    zero_scores: Annotated[Floats, Axes("labels", role=DERIVED)]
    means: Annotated[Floats, Axes("numbers", "labels")]
    ssds: Annotated[Floats, Axes("numbers", "labels", within="[0, inf)")]
    number_index: Annotated[Ints, Axes("features", dtype="int32", role=CONSTANT)]  # -1: no number
    row_numbers: Annotated[Floats, Axes("numbers", role=SCRATCH)]
    # of a column, stored at its first feature; 0 at the others
    widths: Annotated[Ints, Axes("features", dtype="int32", role=CONSTANT)]
    values: Annotated[Ints, Axes("features", dtype="int32", role=CONSTANT)]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> NaiveBayes:
        """Return the first state, with the columns of the stream and the scores of zero counts."""
        columns = all_columns("naive-bayes", sizes)
        numbers = [column.first for column in columns if column.values == NUMERIC]
        state = initial_state(cls, sizes, {**params, "numbers": len(numbers)})
        for first, width, values in columns:
            state.widths[first], state.values[first] = width, values
        state.number_index[:] = -1
        state.number_index[numbers] = range(len(numbers))
        state.derive()
        return state

    def derive(self) -> None:
        """Set the scores from the counts."""
        set_all_scores(self)


@entry
def set_all_scores(learner: NaiveBayes) -> None:
    """Set the scores of all labels from their counts."""
    for label in range(learner.totals.shape[0]):
        set_scores(learner, label)


@kernel
def set_scores(learner: NaiveBayes, label: int) -> None:
    """Set a label's scores, which are logarithms, from its counts."""
    total = learner.totals[label]
    zero_score = math.log(total + 1.0)
    j = 0
    while j < learner.widths.shape[0]:
        width = learner.widths[j]
        if learner.values[j] == NUMERIC:  # scored with the row, see add_log_likelihoods
            j += width
            continue
        present = 0.0
        for i in range(j, j + width):
            present += learner.counts[i, label]
        base = math.log(total + learner.values[j])
        if learner.values[j] > width:  # all features of the column zero is one more value
            absent = math.log(max(total - present, 0.0) + 1.0)
            zero_score += absent - base
            base = absent
        for i in range(j, j + width):
            learner.log_ratios[i, label] = math.log(learner.counts[i, label] + 1.0) - base
        j += width
    learner.zero_scores[label] = zero_score


@implements(score, NaiveBayes)
def _(learner: NaiveBayes, x: Row, out: Floats) -> None:
    copy_values(learner.zero_scores, out)
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            j = feature(x, n)
            for k in range(out.shape[0]):
                out[k] += learner.log_ratios[j, k]
    read_numbers(learner, x)
    for m in range(learner.row_numbers.shape[0]):
        add_log_likelihoods(learner, m, out)


@kernel
def read_numbers(learner: NaiveBayes, x: Row) -> None:
    """Store the numbers of a row."""
    learner.row_numbers[:] = 0.0
    for n in range(x.values.shape[0] if learner.row_numbers.shape[0] > 0 else 0):
        m = learner.number_index[feature(x, n)]
        if m >= 0:
            learner.row_numbers[m] = x.values[n]


@kernel
def add_log_likelihoods(learner: NaiveBayes, m: int, out: Floats) -> None:
    """Add the log-likelihood of number m to the scores, if its values were not all equal."""
    totals, means, ssds = learner.totals, learner.means[m], learner.ssds[m]
    x = learner.row_numbers[m]
    total, mean, ssd = 0.0, 0.0, 0.0
    for k in range(out.shape[0]):
        total, mean, ssd = merge_groups(total, mean, ssd, totals[k], means[k], ssds[k])
    if ssd > 0.0:
        for k in range(out.shape[0]):
            out[k] += log_likelihood(x, totals[k], means[k], ssds[k], mean, ssd / total)


@implements(learn, NaiveBayes)
def _(learner: NaiveBayes, x: Row, scores: Floats, played: Played, feedback: Label) -> None:
    read_numbers(learner, x)
    for n in range(true_count(feedback)):
        count_row(learner, x, true_label(feedback, n))


@kernel
def count_row(learner: NaiveBayes, x: Row, k: int) -> None:
    """Count a row whose numbers are stored as one of a label."""
    total = learner.totals[k]
    for m in range(learner.row_numbers.shape[0]):
        number, means, ssds = learner.row_numbers[m], learner.means[m], learner.ssds[m]
        add_number(total, 1.0, number, means, ssds, k)
    learner.totals[k] += 1.0
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            learner.counts[feature(x, n), k] += 1.0
    set_scores(learner, k)
