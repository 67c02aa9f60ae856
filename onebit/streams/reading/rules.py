"""Rules for the parameters of files: names, lists of words, orders of values, column groups."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from onebit.errors import BadParameter
from onebit.kernel.sizes import MOST_COLUMNS, Column
from onebit.naming.params import Auto, OneOf, Whole
from onebit.streams.reading.dialect import DELIMITERS
from onebit.streams.tables.kinds import ASKED

AUTO, NONE = "auto", "none"


class NameOrNumber(NamedTuple):
    """Any text that is not empty, or a number."""

    def read(self, value: Any) -> str:
        """Return the text."""
        text = str(value)
        if not text or isinstance(value, bool) or not isinstance(value, str | int):
            raise ValueError
        return text

    def __str__(self) -> str:
        return "a name or a number"


class Words(NamedTuple):
    """Several words; a spec has bars between them."""

    def read(self, value: Any) -> tuple[str, ...]:
        """Return the words; a single text is one word."""
        words = (value,) if isinstance(value, str) else tuple(map(str, value))
        if not words or not all(words):
            raise ValueError
        return words

    def __str__(self) -> str:
        return "words with | between them"


class ValueOrder(NamedTuple):
    """The order of the values of a table's columns: one word for all, or lists by column."""

    def read(self, value: Any) -> str | tuple[str, ...]:
        """Return sorted or seen, or the words column/value/value."""
        if value in ("sorted", "seen"):
            return str(value)
        words = Words().read(value)
        for word in words:
            column, *values = word.split("/")
            if not (column and values and all(values)) or len(set(values)) < len(values):
                raise ValueError
        return words

    def __str__(self) -> str:
        return "sorted, seen, or column/value/value/... with | between columns"


class ColumnKinds(NamedTuple):
    """What columns are: column/kind with bars between them."""

    def read(self, value: Any) -> tuple[str, ...]:
        """Return the words column/kind."""
        words = Words().read(value)
        if not all(any(w.endswith(f"/{k}") and len(w) > len(k) + 1 for k in ASKED) for w in words):
            raise ValueError
        return words

    def __str__(self) -> str:
        return f"column/kind with | between columns, a kind being one of {', '.join(ASKED)}"


class ColumnGroups(NamedTuple):
    """Which features form categorical columns: WIDTH adjacent features for VALUES values."""

    def read(self, value: Any) -> str:
        """Return none, or WIDTH/VALUES."""
        if value != NONE and not Column(0, *map(int, str(value).split("/"))).sound:
            raise ValueError
        return str(value)

    def __str__(self) -> str:
        return "none, or WIDTH/VALUES, such as 3/4 for columns of 3 features and 4 values"


def grouped_columns(grouped: str, features: int) -> tuple[Column, ...]:
    """Return the columns that a value of `ColumnGroups` means; left-over features are in none."""
    if grouped == NONE:
        return ()
    width, values = map(int, grouped.split("/"))
    if features // width > MOST_COLUMNS:
        raise BadParameter(
            f"onebit: a file may have at most {MOST_COLUMNS:,} columns, got columns={grouped} of"
            f" {features:,} features."
        )
    return tuple(Column(first, width, values) for first in range(0, features - width + 1, width))


# The parameters that several formats of tables have.
LabelColumn = Annotated[
    str, NameOrNumber(), "the label's column: its name, its number, first or last"
]
HeaderLine = Annotated[str, OneOf((AUTO, "yes", "no")), "whether the first line is names"]
Delimiter = Annotated[str, OneOf((AUTO, *DELIMITERS)), "what is between fields"]
Encoding = Annotated[
    str,
    OneOf((AUTO, "utf-8", "latin-1")),
    "how characters are written, if not as UTF-16",
]
Decimal = Annotated[str, OneOf((AUTO, "point", "comma")), "what is before the decimals of numbers"]
Kinds = Annotated[Any, Auto(ColumnKinds()), "what columns are, such as price/number|ticket/drop"]
NumberColumns = Annotated[Any, Auto(Words()), "columns that must be numbers"]
CategoryColumns = Annotated[Any, Auto(Words()), "columns that are not, whatever they hold"]
ValuesOrder = Annotated[Any, ValueOrder(), "the order of a column's values"]
HashedWidth = Annotated[int, Whole(1, 2**30), "features for texts and columns of too many values"]
Scaled = Annotated[
    str, OneOf(("yes", "no")), "whether numbers are scaled for learners that do not scale rows"
]
