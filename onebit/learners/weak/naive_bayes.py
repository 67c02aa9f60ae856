"""Naive Bayes: counts of values and Gaussian numbers, with independent columns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.kernel.rows import Floats, Ints, Row, feature
from onebit.kernel.sizes import NUMERIC, Sizes, all_columns
from onebit.kernel.state import CONSTANT, COUNTS, SCRATCH, Axes, initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.learners.shared.gaussian import add_number, log_likelihood, merge_groups
from onebit.learners.weak import PLAIN, Copies, Reading, train, vote, weak

#: The odds of this many columns are multiplied before a logarithm is taken, which is slower
#: than the products; no product of so many overflows or underflows.
COLUMNS_PER_LOG = 8
NEGATIVE = "naive-bayes counts values, and a row has a negative one."


@weak
class NaiveBayes(NamedTuple):
    """Votes 2 p - 1, where p is the probability that the label is right, by naive Bayes.

    Counts are weighted. In a column of V values, a value has probability
    (count + 1) / (total + V) given right or wrong, whose prior is proportional to total + 1.
    A numeric column is normally distributed given either. A feature that is in no column is
    a column of two values: above 0 or not. Categorical values must not be negative; above 0
    they count as 1. Counts are float64 whatever `dtype` is: in float32 they would stop
    increasing at 2**24.

    Reference: Duda and Hart, "Pattern classification and scene analysis", 1973; the
    second weak learner of Chen, Lin and Lu, ICML 2014.
    """

    counts: Annotated[Floats, Axes("features", "labels", 2, "n", within=COUNTS)]
    totals: Annotated[Floats, Axes("labels", 2, "n", within=COUNTS)]
    means: Annotated[Floats, Axes("numbers", "labels", 2, "n")]
    ssds: Annotated[Floats, Axes("numbers", "labels", 2, "n", within="[0, inf)")]
    column: Annotated[Ints, Axes("features", dtype="int32", role=CONSTANT)]
    firsts: Annotated[Ints, Axes("columns", dtype="int32", role=CONSTANT)]
    widths: Annotated[Ints, Axes("columns", dtype="int32", role=CONSTANT)]
    values: Annotated[Floats, Axes("columns", role=CONSTANT)]
    present: Annotated[Ints, Axes("columns", dtype="int32", role=SCRATCH)]
    number_index: Annotated[Ints, Axes("columns", dtype="int32", role=CONSTANT)]
    row_numbers: Annotated[Floats, Axes("numbers", role=SCRATCH)]
    log_odds: Annotated[Floats, Axes("labels", "n", role=SCRATCH)]
    odds_product: Annotated[Floats, Axes("labels", "n", role=SCRATCH)]
    absent: Annotated[Floats, Axes("labels", 2, "n", role=SCRATCH)]
    # whether the current row has a negative value, and whether one was skipped
    negative: Annotated[Ints, Axes(2, dtype="int32", role=SCRATCH)]
    n: Copies = 1
    reading: Reading = "plain"  # type: ignore[assignment]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> Any:
        """Return the first state, with the columns of the stream."""
        columns = np.array(all_columns("naive-bayes", sizes))
        numbers = columns[:, 2] == NUMERIC
        lengths = {"columns": len(columns), "numbers": int(numbers.sum())}
        bank = initial_state(cls, sizes, {**params, **lengths})
        bank.firsts[:], bank.widths[:], bank.values[:] = columns.T
        bank.number_index[:] = np.where(numbers, np.cumsum(numbers) - 1, -1)
        bank.column[:] = np.repeat(np.arange(len(columns)), bank.widths)
        return bank

    def complaint(self) -> str | None:
        """Return an error sentence if a row with a negative value was skipped."""
        negative, self.negative[1] = self.negative[1], 0
        return NEGATIVE if negative else None

    def refusal(self) -> str | None:
        """Return an error sentence if the row just scored has a negative value."""
        return NEGATIVE if self.negative[0] else None


@implements(vote, NaiveBayes)
def _(bank: NaiveBayes, x: Row, out: Floats) -> None:
    read_values(bank, x)
    labels, n = out.shape
    for k in range(labels):
        for i in range(n):
            bank.odds_product[k, i] = (bank.totals[k, 0, i] + 1.0) / (bank.totals[k, 1, i] + 1.0)
            bank.log_odds[k, i] = 0.0
    for c in range(bank.firsts.shape[0]):
        if bank.number_index[c] >= 0:
            add_number_odds(bank, bank.number_index[c])
        elif bank.present[c] >= 0:
            multiply_odds(bank, bank.counts[bank.present[c]], bank.values[c])
        else:
            count_absent(bank, c)
            multiply_odds(bank, bank.absent, bank.values[c])
        if c % COLUMNS_PER_LOG == COLUMNS_PER_LOG - 1:
            add_log_of_product(bank)
    add_log_of_product(bank)
    for k in range(labels):
        for i in range(n):
            log_odds = bank.log_odds[k, i]
            out[k, i] = log_odds if bank.reading == PLAIN else vote_from_log_odds(log_odds)


@implements(train, NaiveBayes)
def _(bank: NaiveBayes, x: Row, label: int, y: float, weights: Floats) -> None:
    if bank.negative[0]:
        bank.negative[1] = 1
        return
    side = 0 if y > 0.0 else 1
    totals = bank.totals[label, side]
    for m in range(bank.row_numbers.shape[0]):
        means, ssds = bank.means[m, label, side], bank.ssds[m, label, side]
        for i in range(weights.shape[0]):
            add_number(totals[i], weights[i], bank.row_numbers[m], means, ssds, i)
    for i in range(weights.shape[0]):
        totals[i] += weights[i]
    for c in range(bank.present.shape[0]):
        j = bank.present[c]
        if j >= 0:
            for i in range(weights.shape[0]):
                bank.counts[j, label, side, i] += weights[i]


@kernel
def read_values(bank: Any, x: Row) -> None:
    """Store the row's numbers, the present feature of each column, and if a value is negative."""
    bank.present[:] = -1
    bank.row_numbers[:] = 0.0
    bank.negative[0] = 0
    for e in range(x.values.shape[0]):
        j, value = feature(x, e), x.values[e]
        c = bank.column[j]
        if bank.number_index[c] >= 0:
            bank.row_numbers[bank.number_index[c]] = value
        elif value > 0.0:
            bank.present[c] = j
        elif value < 0.0:
            bank.negative[0] = 1


@kernel
def count_absent(bank: Any, c: int) -> None:
    """Set `absent` to the weight of the rows in which no feature of column c is present."""
    labels, _, n = bank.absent.shape
    for k in range(labels):
        for side in range(2):
            for i in range(n):
                bank.absent[k, side, i] = bank.totals[k, side, i]
    for j in range(bank.firsts[c], bank.firsts[c] + bank.widths[c]):
        for k in range(labels):
            for side in range(2):
                for i in range(n):
                    left = bank.absent[k, side, i] - bank.counts[j, k, side, i]
                    bank.absent[k, side, i] = max(left, 0.0)  # may be negative by rounding


@kernel
def multiply_odds(bank: Any, counts: Floats, values: float) -> None:
    """Multiply the product by the odds of one column's value."""
    labels, n = bank.odds_product.shape
    for k in range(labels):
        for i in range(n):
            right = (counts[k, 0, i] + 1.0) * (bank.totals[k, 1, i] + values)
            wrong = (counts[k, 1, i] + 1.0) * (bank.totals[k, 0, i] + values)
            bank.odds_product[k, i] *= right / wrong


@kernel
def add_number_odds(bank: Any, m: int) -> None:
    """Add the log-odds of number m, if its values were not all equal."""
    x = bank.row_numbers[m]
    for k in range(bank.log_odds.shape[0]):
        totals, means, ssds = bank.totals[k], bank.means[m, k], bank.ssds[m, k]
        for i in range(bank.log_odds.shape[1]):
            right = totals[0, i], means[0, i], ssds[0, i]
            wrong = totals[1, i], means[1, i], ssds[1, i]
            total, mean, ssd = merge_groups(*right, *wrong)
            if ssd > 0.0:
                overall = mean, ssd / total
                likelihoods = (
                    log_likelihood(x, *right, *overall),
                    log_likelihood(x, *wrong, *overall),
                )
                bank.log_odds[k, i] += likelihoods[0] - likelihoods[1]


@kernel
def add_log_of_product(bank: Any) -> None:
    """Add the logarithm of the product to the log-odds, and reset the product to 1."""
    for k in range(bank.odds_product.shape[0]):
        for i in range(bank.odds_product.shape[1]):
            bank.log_odds[k, i] += math.log(bank.odds_product[k, i])
            bank.odds_product[k, i] = 1.0


@kernel
def vote_from_log_odds(log_odds: float) -> float:
    """Return 2 p - 1 for log-odds of p."""
    small = math.exp(-abs(log_odds))
    size = (1.0 - small) / (1.0 + small)
    return size if log_odds >= 0.0 else -size
