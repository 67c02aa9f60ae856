"""The columns of a table: their names, which one is the label, and what the user says of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from onebit.errors import BadFile
from onebit.naming.params import short_repr
from onebit.naming.suggesting import did_you_mean
from onebit.streams.reading.rules import AUTO
from onebit.streams.tables.building import Wishes
from onebit.streams.tables.kinds import ASKED, CATEGORY, DROP, NUMBER


class TableOptions(Protocol):
    """The parameters that all formats of tables have."""

    @property
    def label(self) -> str:
        """The label's column."""

    @property
    def kinds(self) -> Any:
        """What columns are."""

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
        """How many features texts and columns with too many values are hashed to."""

    @property
    def scale(self) -> str:
        """Whether numeric columns are scaled for learners that do not scale rows themselves."""


class Header(NamedTuple):
    """The names of the columns, the place of the label's, and what the user says of them."""

    names: Sequence[str]
    label: int
    wishes: Wishes


def find_column(who: str, names: Sequence[str], column: str) -> int:
    """Return the place of a column that is given by its name, its number, first or last."""
    if names.count(column) == 1:
        return names.index(column)
    numbers = [str(n + 1) for n in range(len(names))]
    if column in numbers:
        return numbers.index(column)
    if column in ("first", "last"):
        return 0 if column == "first" else len(names) - 1
    raise BadFile(
        f"{who}: a column must be one of {short_repr(', '.join(names))} or 1 to {len(names)},"
        f" got {short_repr(column)}{did_you_mean(column, names)}."
    )


def make_header(who: str, names: Sequence[str], options: TableOptions) -> Header:
    """Return the header of a table."""
    if not names:
        raise BadFile(f"{who}: a table must have a column for the label, got none.")
    names = unique_names(names)
    label = find_column(who, names, options.label)
    kinds: dict[str, str] = {}
    for word in () if options.kinds == AUTO else options.kinds:
        kind = next(kind for kind in ASKED if word.endswith(f"/{kind}"))
        kinds[names[find_column(who, names, word.removesuffix(f"/{kind}"))]] = kind
    if kinds.get(names[label]) == DROP:
        raise BadFile(
            f"{who}: a column that is left out must be another than the label's, got"
            f" {short_repr(names[label])}."
        )
    strict = set()
    for kind, given in ((NUMBER, options.numbers), (CATEGORY, options.categories)):
        for column in () if given == AUTO else given:
            name = names[find_column(who, names, column)]
            kinds[name] = kind
            strict |= {name} if kind == NUMBER else set()
    orders = _given_orders(who, names, options.values)
    decimal = getattr(options, "decimal", AUTO)
    wishes = Wishes(
        kinds, strict, orders, options.values == "seen", options.hashed, decimal,
        options.scale == "yes",
    )  # fmt: skip
    return Header(names, label, wishes)


def unique_names(names: Sequence[str]) -> list[str]:
    """Return names that are all different and not empty; the number of the column makes them so."""
    found: dict[str, None] = {}
    for n, name in enumerate(names, 1):
        free = name if name.strip() else str(n)
        while free in found:
            free = f"{free}.{n}"
        found[free] = None
    return list(found)


def _given_orders(who: str, names: Sequence[str], given: Any) -> dict[str | None, Sequence[str]]:
    """Return the given values of columns; `all` stands for all other columns."""
    orders: dict[str | None, Sequence[str]] = {}
    for word in () if isinstance(given, str) else given:
        column, *values = word.split("/")
        all_others = column == "all" and column not in names
        orders[None if all_others else names[find_column(who, names, column)]] = values
    return orders
