"""Rules for the parameters of files: what is found out by itself, words, and orders of values."""

from __future__ import annotations

from typing import Any, NamedTuple

from onebit.kernel.state import Column

AUTO, NONE = "auto", "none"


class Text(NamedTuple):
    """Any words that are not empty."""

    def read(self, value: Any) -> str:
        """Return the words."""
        text = str(value)
        if not text or isinstance(value, bool) or not isinstance(value, str | int):
            raise ValueError
        return text

    def __str__(self) -> str:
        return "a name or a number"


class Words(NamedTuple):
    """Several words; a spec has bars between them."""

    def read(self, value: Any) -> tuple[str, ...]:
        """Return the words; a text is one of them."""
        words = (value,) if isinstance(value, str) else tuple(map(str, value))
        if not words or not all(words):
            raise ValueError
        return words

    def __str__(self) -> str:
        return "words with | between them"


class ValueOrder(NamedTuple):
    """The order of the values of a table's columns: a word for all, or values by column."""

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


class Grouped(NamedTuple):
    """Which features form categorical columns: so many side by side, of so many values."""

    def read(self, value: Any) -> str:
        """Return none, or WIDTH/VALUES."""
        if value != NONE and not Column(0, *map(int, value.split("/"))).sound:
            raise ValueError
        return str(value)

    def __str__(self) -> str:
        return "none, or WIDTH/VALUES, such as 3/4 for columns of 3 features and 4 values"


def columns_of(grouped: str, features: int) -> tuple[Column, ...]:
    """Return the columns that `Grouped` words mean; features behind the last whole one are none."""
    if grouped == NONE:
        return ()
    width, values = map(int, grouped.split("/"))
    return tuple(Column(first, width, values) for first in range(0, features - width + 1, width))
