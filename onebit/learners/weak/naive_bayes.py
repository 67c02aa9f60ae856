"""Naive Bayes: counts of values, and means of numbers, as if columns were independent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.kernel.rows import Floats, Ints, Row, feature
from onebit.kernel.state import NUMERIC, Axes, Sizes, all_columns, initial_state
from onebit.kernel.verbs import implements, kernel, no_refcount
from onebit.learners.shared.gaussian import include, likelihood, pool
from onebit.learners.weak import PLAIN, Copies, Reading, train, vote, weak

#: Columns whose odds are multiplied before a logarithm is taken: no product of so many leaves
#: the range of a float, and a logarithm costs more than they do.
TOGETHER = 8
NEGATIVE = "naive-bayes counts values, and a row has a negative one."


@weak
class NaiveBayes(NamedTuple):
    """Votes 2 p - 1, where p is the probability that the label is right, by naive Bayes.

    Counts are weighted. In a column of V values, a value is as likely as
    (count + 1) / (total + V); each side's prior is total + 1. A column of numbers is
    normally distributed on each side. A feature that is in no column is a column of its
    own: above 0 or not. Values other than numbers must not be negative; above 0 they
    count as 1. Counts are float64 whatever `dtype` says: in float32 they would stop
    growing at 2**24.

    Reference: Duda and Hart, "Pattern classification and scene analysis", 1973; the
    second weak learner of Chen, Lin and Lu, ICML 2014.
    """

    counts: Annotated[Floats, Axes("features", "labels", 2, "n")]
    totals: Annotated[Floats, Axes("labels", 2, "n")]
    means: Annotated[Floats, Axes("numbers", "labels", 2, "n")]
    spreads: Annotated[Floats, Axes("numbers", "labels", 2, "n")]
    column: Annotated[Ints, Axes("features", dtype="int32", kept=False)]
    firsts: Annotated[Ints, Axes("columns", dtype="int32", kept=False)]
    widths: Annotated[Ints, Axes("columns", dtype="int32", kept=False)]
    values: Annotated[Floats, Axes("columns", kept=False)]
    present: Annotated[Ints, Axes("columns", dtype="int32", kept=False)]
    number: Annotated[Ints, Axes("columns", dtype="int32", kept=False)]
    seen: Annotated[Floats, Axes("numbers", kept=False)]
    odds: Annotated[Floats, Axes("labels", "n", kept=False)]
    product: Annotated[Floats, Axes("labels", "n", kept=False)]
    absent: Annotated[Floats, Axes("labels", 2, "n", kept=False)]
    refused: Annotated[Ints, Axes(2, dtype="int32", kept=False)]
    n: Copies = 1
    reading: Reading = "plain"  # type: ignore[assignment]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> Any:
        """Return a bank without counts that knows the columns."""
        columns = np.array(all_columns("naive-bayes", sizes))
        numbers = columns[:, 2] == NUMERIC
        lengths = {"columns": len(columns), "numbers": int(numbers.sum())}
        bank = initial_state(cls, sizes, {**params, **lengths})
        bank.firsts[:], bank.widths[:], bank.values[:] = columns.T
        bank.number[:] = np.where(numbers, np.cumsum(numbers) - 1, -1)
        bank.column[:] = np.repeat(np.arange(len(columns)), bank.widths)
        return bank

    def complaint(self) -> str | None:
        """Say that a row was refused, once."""
        refused, self.refused[1] = self.refused[1], 0
        return NEGATIVE if refused else None

    def refusal(self) -> str | None:
        """Return why the row just scored cannot be played, or None."""
        return NEGATIVE if self.refused[0] else None


@implements(vote, NaiveBayes)
def _(bank: NaiveBayes, x: Row, out: Floats) -> None:
    read(bank, x)
    labels, n = out.shape
    for k in range(labels):
        for i in range(n):
            bank.product[k, i] = (bank.totals[k, 0, i] + 1.0) / (bank.totals[k, 1, i] + 1.0)
            bank.odds[k, i] = 0.0
    for c in range(bank.firsts.shape[0]):
        if bank.number[c] >= 0:
            compare(bank, bank.number[c])
        elif bank.present[c] >= 0:
            weigh(bank, bank.counts[bank.present[c]], bank.values[c])
        else:
            rest(bank, c)
            weigh(bank, bank.absent, bank.values[c])
        if c % TOGETHER == TOGETHER - 1:
            settle(bank)
    settle(bank)
    for k in range(labels):
        for i in range(n):
            out[k, i] = bank.odds[k, i] if bank.reading == PLAIN else belief(bank.odds[k, i])


@implements(train, NaiveBayes)
def _(bank: NaiveBayes, x: Row, label: int, y: float, weights: Floats) -> None:
    if bank.refused[0]:
        bank.refused[1] = 1
        return
    side = 0 if y > 0.0 else 1
    totals = bank.totals[label, side]
    for m in range(bank.seen.shape[0]):
        means, spreads = bank.means[m, label, side], bank.spreads[m, label, side]
        for i in range(weights.shape[0]):
            include(totals[i], weights[i], bank.seen[m], means, spreads, i)
    for i in range(weights.shape[0]):
        totals[i] += weights[i]
    for c in range(bank.present.shape[0]):
        j = bank.present[c]
        if j >= 0:
            for i in range(weights.shape[0]):
                bank.counts[j, label, side, i] += weights[i]


@no_refcount
@kernel
def read(bank: Any, x: Row) -> None:
    """Note the numbers, which feature of each column is present, and whether to refuse the row."""
    bank.present[:] = -1
    bank.seen[:] = 0.0
    bank.refused[0] = 0
    for e in range(x.values.shape[0]):
        j, value = feature(x, e), x.values[e]
        c = bank.column[j]
        if bank.number[c] >= 0:
            bank.seen[bank.number[c]] = value
        elif value > 0.0:
            bank.present[c] = j
        elif value < 0.0:
            bank.refused[0] = 1


@no_refcount
@kernel
def rest(bank: Any, c: int) -> None:
    """Count the rows in which no feature of column c was present."""
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
                    bank.absent[k, side, i] = max(left, 0.0)  # by rounding it may fall below


@no_refcount
@kernel
def weigh(bank: Any, counts: Floats, values: float) -> None:
    """Multiply the odds of one column's value into the product."""
    labels, n = bank.product.shape
    for k in range(labels):
        for i in range(n):
            right = (counts[k, 0, i] + 1.0) * (bank.totals[k, 1, i] + values)
            wrong = (counts[k, 1, i] + 1.0) * (bank.totals[k, 0, i] + values)
            bank.product[k, i] *= right / wrong


@no_refcount
@kernel
def compare(bank: Any, m: int) -> None:
    """Add the logarithm of the odds of number m to the odds, where it has ever varied."""
    x = bank.seen[m]
    for k in range(bank.odds.shape[0]):
        totals, means, spreads = bank.totals[k], bank.means[m, k], bank.spreads[m, k]
        for i in range(bank.odds.shape[1]):
            right = totals[0, i], means[0, i], spreads[0, i]
            wrong = totals[1, i], means[1, i], spreads[1, i]
            total, usual, spread = pool(*right, *wrong)
            if spread > 0.0:
                every = usual, spread / total
                bank.odds[k, i] += likelihood(x, *right, *every) - likelihood(x, *wrong, *every)


@no_refcount
@kernel
def settle(bank: Any) -> None:
    """Add the logarithm of the product to the odds, and begin a new product."""
    for k in range(bank.product.shape[0]):
        for i in range(bank.product.shape[1]):
            bank.odds[k, i] += math.log(bank.product[k, i])
            bank.product[k, i] = 1.0


@no_refcount
@kernel
def belief(odds: float) -> float:
    """Return 2 p - 1 for log-odds of p."""
    small = math.exp(-abs(odds))
    size = (1.0 - small) / (1.0 + small)
    return size if odds >= 0.0 else -size
