"""Naive Bayes: counts of values, as if columns were independent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.params import BadInput
from onebit.rows import Floats, Ints, Row, feature
from onebit.state import Axes, Column, Sizes, first_state
from onebit.verbs import implements, kernel, uncounted
from onebit.weak import PLAIN, Copies, Dtype, Reading, train, vote, weak

#: Columns whose odds are multiplied before a logarithm is taken: no product of so many leaves
#: the range of a float, and a logarithm costs more than they do.
TOGETHER = 8


@weak
class NaiveBayes(NamedTuple):
    """Votes 2 p - 1, where p is the probability that the label is right, by naive Bayes.

    Counts are weighted. In a column of V values, a value is as likely as
    (count + 1) / (total + V); each side's prior is total + 1. A feature that is in no
    column is a column of its own: above 0 or not. Rows must not have negative
    values; a value above 0 counts as 1.

    Reference: Duda and Hart, "Pattern classification and scene analysis", 1973; the
    second weak learner of Chen, Lin and Lu, ICML 2014.
    """

    counts: Annotated[Floats, Axes("features", "labels", 2, "n", dtype="dtype")]
    totals: Annotated[Floats, Axes("labels", 2, "n")]
    column: Annotated[Ints, Axes("features", dtype="int32", kept=False)]
    firsts: Annotated[Ints, Axes("columns", dtype="int32", kept=False)]
    widths: Annotated[Ints, Axes("columns", dtype="int32", kept=False)]
    values: Annotated[Floats, Axes("columns", kept=False)]
    present: Annotated[Ints, Axes("columns", dtype="int32", kept=False)]
    odds: Annotated[Floats, Axes("labels", "n", kept=False)]
    product: Annotated[Floats, Axes("labels", "n", kept=False)]
    absent: Annotated[Floats, Axes("labels", 2, "n", kept=False)]
    refused: Annotated[Ints, Axes(2, dtype="int32", kept=False)]
    n: Copies = 1
    reading: Reading = "plain"  # type: ignore[assignment]
    dtype: Dtype = "float64"  # type: ignore[assignment]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> Any:
        """Return a bank without counts that knows the columns."""
        columns = np.array(all_columns(sizes))
        bank = first_state(cls, sizes, {**params, "columns": len(columns)})
        bank.firsts[:], bank.widths[:], bank.values[:] = columns.T
        bank.column[:] = np.repeat(np.arange(len(columns)), bank.widths)
        return bank

    def complaint(self) -> str | None:
        """Say that a row was refused, once."""
        refused, self.refused[1] = self.refused[1], 0
        return "naive-bayes counts values, and a row has a negative one." if refused else None


def all_columns(sizes: Sizes) -> list[Column]:
    """Return columns that cover every feature once, in ascending order."""
    columns: list[Column] = []
    at = 0
    for column in [*sorted(sizes.columns), Column(sizes.features, 0, 0)]:
        end = column.first + column.width
        if not (at <= column.first and column.first <= end <= sizes.features):
            raise BadInput(
                f"naive-bayes: columns must not overlap or reach beyond {sizes.features}"
                f" features, got {tuple(column)}."
            )
        columns += [Column(j, 1, 2) for j in range(at, column.first)]
        columns += [column] if column.width else []
        at = end
    return columns


@implements(vote, NaiveBayes)
def _(bank: NaiveBayes, x: Row, out: Floats) -> None:
    read(bank, x)
    labels, n = out.shape
    for k in range(labels):
        for i in range(n):
            bank.product[k, i] = (bank.totals[k, 0, i] + 1.0) / (bank.totals[k, 1, i] + 1.0)
            bank.odds[k, i] = 0.0
    for c in range(bank.firsts.shape[0]):
        if bank.present[c] >= 0:
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
    for i in range(weights.shape[0]):
        bank.totals[label, side, i] += weights[i]
    for c in range(bank.present.shape[0]):
        j = bank.present[c]
        if j >= 0:
            for i in range(weights.shape[0]):
                bank.counts[j, label, side, i] += weights[i]


@uncounted
@kernel
def read(bank: Any, x: Row) -> None:
    """Note which feature of each column is present, and whether the row is refused."""
    bank.present[:] = -1
    bank.refused[0] = 0
    for e in range(x.values.shape[0]):
        j, value = feature(x, e), x.values[e]
        if value > 0.0:
            bank.present[bank.column[j]] = j
        elif value < 0.0:
            bank.refused[0] = 1


@uncounted
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
                    bank.absent[k, side, i] -= bank.counts[j, k, side, i]


@uncounted
@kernel
def weigh(bank: Any, counts: Floats, values: float) -> None:
    """Multiply the odds of one column's value into the product."""
    labels, n = bank.product.shape
    for k in range(labels):
        for i in range(n):
            right = (np.float64(counts[k, 0, i]) + 1.0) * (bank.totals[k, 1, i] + values)
            wrong = (np.float64(counts[k, 1, i]) + 1.0) * (bank.totals[k, 0, i] + values)
            bank.product[k, i] *= right / wrong


@uncounted
@kernel
def settle(bank: Any) -> None:
    """Add the logarithm of the product to the odds, and begin a new product."""
    for k in range(bank.product.shape[0]):
        for i in range(bank.product.shape[1]):
            bank.odds[k, i] += math.log(bank.product[k, i])
            bank.product[k, i] = 1.0


@uncounted
@kernel
def belief(odds: float) -> float:
    """Return 2 p - 1 for log-odds of p."""
    small = math.exp(-abs(odds))
    size = (1.0 - small) / (1.0 + small)
    return size if odds >= 0.0 else -size
