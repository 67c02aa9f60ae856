"""The sizes that a state is made for: features, labels, and which features form columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from onebit.errors import BadParameter
from onebit.naming.params import short_repr

__all__ = ["NUMERIC", "Column", "Sizes", "all_columns"]


#: The most columns of a table.
MOST_COLUMNS = 2**22
#: The `values` of a numeric column.
NUMERIC = 0


class Column(NamedTuple):
    """A column of a table: adjacent one-hot features of a category, or one numeric feature.

    Attributes
    ----------
    first : int
        The first feature.
    width : int
        How many features it has.
    values : int
        How many values the category has, NUMERIC for a numeric column. There may be one value more
        than features: the one that sets none of them.
    """

    first: int
    width: int
    values: int

    @property
    def sound(self) -> bool:
        """Whether the width fits the number of values."""
        if self.values == NUMERIC:
            return self.width == 1
        return 1 <= self.width <= self.values <= self.width + 1


class Sizes(NamedTuple):
    """The sizes that a state is made for.

    Attributes
    ----------
    features : int
        The width of a row.
    labels : int
        The number of labels.
    columns : sequence of Column
        Which features form columns.
    scale : bool
        Whether numeric columns are to be scaled for learners that do not scale rows themselves.
    begun : int
        The number of labels that the first state was made for, 0 if it is that of now. The sizes
        of tables depend on it, and stay when labels are added.
    """

    features: int
    labels: int
    columns: Sequence[Column] = ()
    scale: bool = False
    begun: int = 0

    @property
    def begun_labels(self) -> int:
        """The number of labels that the first state was made for."""
        return self.begun or self.labels


def all_columns(who: str, sizes: Sizes) -> list[Column]:
    """Return columns that cover every feature once.

    Parameters
    ----------
    who : str
        Whose columns they are, for the error message.
    sizes : Sizes
        The features, and the declared columns.

    Returns
    -------
    list of Column
        The declared columns; each other feature is a column of two values, zero or not.

    Raises
    ------
    BadParameter
        If columns overlap or reach beyond the features, or there are too many features.

    Examples
    --------
    >>> all_columns("example", Sizes(3, 2, [Column(0, 2, 2)]))
    [Column(first=0, width=2, values=2), Column(first=2, width=1, values=2)]
    """
    if sizes.features > MOST_COLUMNS:
        raise BadParameter(
            f"{who}: it takes at most {MOST_COLUMNS:,} features, got {sizes.features:,}."
        )
    found: list[Column] = []
    at = 0
    for column in check_columns(who, sizes.columns, sizes.features):
        found += [Column(j, 1, 2) for j in range(at, column.first)]
        found.append(column)
        at = column.first + column.width
    return found + [Column(j, 1, 2) for j in range(at, sizes.features)]


def check_columns(who: str, columns: Sequence[Column], features: int) -> list[Column]:
    """Return columns in ascending order; raise BadParameter if they do not fit the width."""
    ordered = sorted(Column(*column) for column in columns)
    at = 0
    for column in ordered:
        if not (at <= column.first <= features - column.width and column.sound):
            raise BadParameter(
                f"{who}: columns must not overlap or reach beyond {features} features, and"
                " have as many values as features, one more, or 0 for a number, got"
                f" {short_repr(tuple(column))}."
            )
        at = column.first + column.width
    return ordered
