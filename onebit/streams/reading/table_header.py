"""The columns of a table: their names, which one is the label, and what the user says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from onebit.errors import BadFile
from onebit.naming.params import short_repr
from onebit.streams.reading.rules import AUTO


class TableOptions(Protocol):
    """The parameters that all formats of tables have."""

    @property
    def label(self) -> str:
        """The label's column."""

    @property
    def numbers(self) -> Any:
        """Columns that must be numbers."""

    @property
    def categories(self) -> Any:
        """Columns that are categorical."""

    @property
    def values(self) -> Any:
        """The order of a column's values."""

    @property
    def hashed(self) -> int:
        """How many features columns with too many values are hashed to."""


class Header(NamedTuple):
    """The names of the columns, the place of the label's, and what is known of the others.

    `kinds` says which columns are "numbers" or "categories"; `orders` has the first values of
    columns, and under None those for all other columns.
    """

    names: Sequence[str]
    label: int
    kinds: Mapping[str, str]
    orders: Mapping[str | None, Sequence[str]] = MappingProxyType({})


def find_column(who: str, names: Sequence[str], column: str) -> int:
    """Return the place of a column that is given by its name, its number, first or last."""
    if names.count(column) == 1:
        return names.index(column)
    if column.isdigit() and 1 <= int(column) <= len(names):
        return int(column) - 1
    if column in ("first", "last"):
        return 0 if column == "first" else len(names) - 1
    raise BadFile(
        f"{who}: a column must be one of {short_repr(', '.join(names))} or 1 to {len(names)},"
        f" got {short_repr(column)}."
    )


def make_header(
    who: str, names: Sequence[str], options: TableOptions, kinds: Mapping[str, str]
) -> Header:
    """Return the header of a table; the options overrule `kinds`."""
    label = find_column(who, names, options.label)
    orders = _given_orders(who, names, options.values)
    return Header(names, label, {**kinds, **_given_kinds(who, names, options)}, orders)


def _given_kinds(who: str, names: Sequence[str], options: TableOptions) -> dict[str, str]:
    kinds = {}
    for kind in ("numbers", "categories"):
        given = getattr(options, kind)
        for column in () if given == AUTO else given:
            kinds[names[find_column(who, names, column)]] = kind
    return kinds


def _given_orders(who: str, names: Sequence[str], given: Any) -> dict[str | None, Sequence[str]]:
    """Return the given values of columns; `all` stands for all other columns."""
    orders: dict[str | None, Sequence[str]] = {}
    for word in () if isinstance(given, str) else given:
        column, *values = word.split("/")
        all_others = column == "all" and column not in names
        orders[None if all_others else names[find_column(who, names, column)]] = values
    return orders
