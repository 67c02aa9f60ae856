"""Table: the label of every hypothesis for every instance."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.errors import BadParameter
from onebit.kernel.rows import Floats, Row, copy_values
from onebit.kernel.sizes import Sizes
from onebit.kernel.verbs import implements
from onebit.theory.hypotheses import advise, copy_dense, hypothesis_class

__all__ = ["Table"]

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class TableText(NamedTuple):
    """The rule of a table as text: 0011/0101 has two hypotheses over four instances."""

    def read(self, value: Any) -> str:
        """Return the text of a table given as text, as a matrix of label numbers or as a Table."""
        if isinstance(value, Table):
            value = value.table
        if not isinstance(value, str):
            matrix = np.array(value)
            if matrix.ndim != 2 or not np.issubdtype(matrix.dtype, np.integer):
                raise ValueError
            value = "/".join("".join(_digit(v) for v in row) for row in matrix.tolist())
        rows = value.split("/")
        if not rows[0] or len({*map(len, rows)}) > 1 or not set("".join(rows)) <= {*_DIGITS}:
            raise ValueError
        return str(value)

    def __str__(self) -> str:
        return "rows of digits (0 to z) of equal length, with / between them"


@hypothesis_class()
class Table(NamedTuple):
    """A table of label numbers: a row for each hypothesis, a column for each instance.

    A row of features is one number here: the index of the instance, from 0.

    Reference: N. Littlestone, "Learning quickly when irrelevant attributes abound",
    Machine Learning 2 (1988).

    Parameters
    ----------
    table : str or array_like of int, default "01/10"
        Label numbers of shape (hypotheses, instances). As text, a label is one digit
        (0 to 9, then a to z) and hypotheses are separated by /.

    Examples
    --------
    >>> from onebit import Agent
    >>> table = Table([[0, 0, 1], [0, 1, 1]])
    >>> agent = Agent("soa", labels=["no", "yes"], hypotheses=table, table=table)
    >>> agent.learn(agent.decide([1]), truth="yes")
    >>> agent.predict([1])
    'yes'
    """

    table: Annotated[Any, TableText(), "labels of each hypothesis"] = "01/10"

    def for_sizes(self, sizes: Sizes) -> TableHypotheses:
        """Return the hypotheses for rows of a width.

        Parameters
        ----------
        sizes : Sizes
            The numbers of features and labels.

        Returns
        -------
        TableHypotheses
            The hypotheses, for `advise`.

        Raises
        ------
        BadParameter
            If the table has more labels than there are, or a row is not one number.
        """
        labels = read_table("Table", self.table, sizes.labels)
        if sizes.features != 1:
            raise BadParameter(
                "Table: a row must be one number, that of an instance, got"
                f" {sizes.features} features."
            )
        return TableHypotheses(len(labels), np.ascontiguousarray(labels.T), np.empty(1))


class TableHypotheses(NamedTuple):
    """The advice for each instance, and a buffer for a row."""

    size: int
    advice: Floats
    dense_row: Floats


@implements(advise, TableHypotheses)
def _(hypotheses: TableHypotheses, x: Row, out: Floats) -> None:
    copy_dense(x, hypotheses.dense_row)
    value = hypotheses.dense_row[0]
    out[:] = -1.0  # no label number: no such instance
    if value >= 0.0 and value < hypotheses.advice.shape[0] and value == np.floor(value):
        copy_values(hypotheses.advice[int(value)], out)


def read_table(who: str, value: Any, labels: int) -> Floats:
    """Return label numbers (hypotheses, instances); raise BadInput if the table is not valid."""
    rule = TableText()
    try:
        text = rule.read(value)
    except (ValueError, TypeError):
        raise BadParameter(f"{who}: table must be {rule}.") from None
    table = np.array([[_DIGITS.index(c) for c in row] for row in text.split("/")], np.float64)
    if table.max() >= labels:
        raise BadParameter(
            f"{who}: the table's labels must be less than the {labels} there are, got"
            f" {int(table.max())}."
        )
    return table


def _digit(value: int) -> str:
    if not 0 <= value < len(_DIGITS):
        raise ValueError
    return _DIGITS[value]
