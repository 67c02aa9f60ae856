"""Rules for the parameters of files: names, lists of words, orders of values, column groups."""

from __future__ import annotations

from typing import Any, NamedTuple

from onebit.kernel.sizes import Column

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


class ColumnGroups(NamedTuple):
    """Which features form categorical columns: WIDTH adjacent features for VALUES values."""

    def read(self, value: Any) -> str:
        """Return none, or WIDTH/VALUES."""
        if value != NONE and not Column(0, *map(int, value.split("/"))).sound:
            raise ValueError
        return str(value)

    def __str__(self) -> str:
        return "none, or WIDTH/VALUES, such as 3/4 for columns of 3 features and 4 values"


def grouped_columns(grouped: str, features: int) -> tuple[Column, ...]:
    """Return the columns that a value of `ColumnGroups` means; left-over features are in none."""
    if grouped == NONE:
        return ()
    width, values = map(int, grouped.split("/"))
    return tuple(Column(first, width, values) for first in range(0, features - width + 1, width))
