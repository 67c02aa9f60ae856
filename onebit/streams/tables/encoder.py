"""The encoder: plain data that turns the fields of records into rows of features."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from onebit.kernel.features import LARGEST
from onebit.kernel.rows import Sparse, SparseRows
from onebit.kernel.sizes import NUMERIC, Column
from onebit.naming.params import short_repr
from onebit.streams.tables.dates import PARTS, part_values, read_date
from onebit.streams.tables.fields import (
    COMMA,
    MISSING,
    NO_WORDS,
    PLAIN,
    YES_WORDS,
    canonical,
    is_missing,
    plain_number,
    plain_numbers,
    read_number,
)
from onebit.streams.tables.kinds import CATEGORY, DATE, LABEL, LEFT_OUT, NUMBER, TEXT, YES_NO
from onebit.streams.tables.words import hashed_place, text_entries

#: A column that is hashed by its name without knowing what it is, as an Agent does with a dict.
NAMED = "named"

#: Features of a field and their values, and whether the field is malformed.
Entries = tuple[list[int], list[float], bool]
#: The row, feature and value of each entry of a column; None for the rows if every row has one.
Part = tuple[Any, Any, Any]
#: What is counted while encoding: pairs of what it is and the column.
Counts = Counter[tuple[str, str]]

NEW_VALUE, NEW_GAP, NO_NUMBER, NO_DATE = "new value", "gap", "no number", "no date"
UNKNOWN_COLUMN, ABSENT_COLUMN = "unknown column", "absent column"


class ColumnCode(NamedTuple):
    """How the fields of a column become features; plain data.

    Attributes
    ----------
    name : str
        The column's name.
    kind : str
        What it is, see `onebit.streams.tables.kinds`.
    first, width : int
        Its features. Those of texts and hashed categories are shared by several columns.
    values : tuple of str
        The values of a category, one feature each; none if they are hashed. The values of a number
        that has few, one feature each after that of the number.
    gap : bool
        Whether the last feature says that the field is missing.
    fill : float
        The number, or the trend of the date, in place of a missing one.
    style : str
        How numbers or dates are written.
    parts : tuple of str
        The numbers that a date is turned into.
    start, span : float
        Where the trend of a date is 0, and the seconds until it is 1.
    strict : bool
        Whether a field that is no number is malformed.
    binary : bool
        Whether yes and no are the numbers 1 and 0.
    weight : float
        The norm of a text.
    """

    name: str
    kind: str
    first: int = 0
    width: int = 0
    values: tuple[str, ...] = ()
    gap: bool = False
    fill: float = 0.0
    style: str = PLAIN
    parts: tuple[str, ...] = ()
    start: float = 0.0
    span: float = 1.0
    strict: bool = False
    binary: bool = False
    weight: float = 1.0

    @property
    def hashed(self) -> bool:
        """Whether its values are hashed to features that columns share."""
        return self.kind in (TEXT, NAMED) or (self.kind == CATEGORY and not self.values)

    @property
    def is_number(self) -> bool:
        """Whether its fields are numbers."""
        return self.kind == NUMBER or self.binary

    def declared(self) -> list[Column]:
        """Return the columns that learners are told of."""
        if self.kind == NUMBER:
            number, rest = Column(self.first, 1, NUMERIC), self.width - 1
            return [number, Column(self.first + 1, rest, rest)] if self.values else [number]
        if self.kind in (CATEGORY, YES_NO) and self.values:
            return [Column(self.first, self.width, self.width)]
        if self.kind == DATE:
            return [Column(self.first + n, 1, NUMERIC) for n in range(self.width - self.gap)]
        return []


class Encoder:
    """Turns records of a table into rows; it never changes.

    Parameters
    ----------
    codes : sequence of ColumnCode
        What becomes of each column, in the order of the table.
    features : int
        The width of a row.
    scale : bool
        Whether numeric columns are to be scaled for learners that do not scale rows themselves.
    """

    def __init__(self, codes: Sequence[ColumnCode], features: int, scale: bool) -> None:
        self.codes, self.features, self.scale = tuple(codes), features, scale
        self._used = tuple((n, c) for n, c in enumerate(codes) if c.kind not in (LABEL, *LEFT_OUT))
        self._known = {code.name for code in codes}
        self._places = {code.name: _places(code) for code in codes}

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that learners are told of."""
        return tuple(sorted(column for _, code in self._used for column in code.declared()))

    @property
    def label(self) -> str | None:
        """The name of the label's column, None if there is none."""
        return next((code.name for code in self.codes if code.kind == LABEL), None)

    def column_of(self, feature: int) -> str:
        """Return the name of the first column that a feature belongs to, "" if there is none."""
        owners = (c.name for _, c in self._used if c.first <= feature < c.first + c.width)
        return next(owners, "")

    @property
    def used(self) -> tuple[tuple[int, ColumnCode], ...]:
        """The columns that become features, each with its place in a record."""
        return self._used

    def read(self, code: ColumnCode, field: str) -> Entries:
        """Return the features of one field of a column."""
        return self._entries(code, field, Counter())

    def encode(
        self, columns: Sequence[Sequence[str]], counts: Counts
    ) -> tuple[SparseRows, list[tuple[int, str, str]]]:
        """Return the rows of a table that is given column by column, and its malformed fields.

        Each of these is a row, the column's name and the field.
        """
        count = len(columns[0])
        parts, malformed = [], []
        for n, code in self._used:
            made, bad = self._encode_column(code, columns[n], counts)
            parts += made
            malformed += [(row, code.name, columns[n][row]) for row in bad]
        return _join(parts, count), sorted(malformed)

    def reordered(
        self, names: Sequence[str], columns: Sequence[Sequence[str]], counts: Counts
    ) -> list[Sequence[str]]:
        """Return columns in the order of the table; those that it does not have are left out."""
        gap, given = [""] * len(columns[0]), dict(zip(names, columns, strict=True))
        for name in names:
            if name not in self._known:
                counts[UNKNOWN_COLUMN, short_repr(name)] += len(gap)
        for _, code in self._used:
            if code.name not in given:
                counts[ABSENT_COLUMN, code.name] += len(gap)
        return [given.get(code.name, gap) for code in self.codes]

    def row(self, record: Mapping[Any, Any], counts: Counts, text: Any) -> Sparse | None:
        """Return the row of a record; None if a number of it is not finite or too large.

        `text` turns a value of the record into a field.
        """
        sums: dict[int, float] = {}
        for _, code in self._used:
            if code.name not in record:
                counts[ABSENT_COLUMN, code.name] += 1
            field = text(record.get(code.name))
            indices, values, bad = self._entries(code, field, counts)
            if bad:
                return None
            for index, value in zip(indices, values, strict=True):
                sums[index] = sums.get(index, 0.0) + value
        for name in record:
            if name not in self._known:
                counts[UNKNOWN_COLUMN, short_repr(name)] += 1
        places = sorted(place for place, value in sums.items() if value != 0.0)
        found = np.array([sums[place] for place in places], np.float64)
        return Sparse(np.array(places, np.int32), found)

    def _encode_column(
        self, code: ColumnCode, fields: Sequence[str], counts: Counts
    ) -> tuple[list[Part], list[int]]:
        """Return the entries of a column in parts, and malformed rows."""
        if code.is_number and (code.style != COMMA or not any("." in f for f in fields)):
            numbers = plain_numbers(fields)
            if numbers is not None and np.abs(numbers).max(initial=0.0) <= LARGEST:
                of_numbers = (None, np.full(len(fields), code.first), numbers)
                return [of_numbers, *self._value_parts(code, numbers)], []
        elif code.values:
            places = self._places[code.name]
            found = [places.get(field, -1) for field in fields]
            if min(found, default=0) >= 0:
                return [(None, np.array(found), np.ones(len(fields)))], []
        each = [self._entries(code, field, counts) for field in fields]
        rows = np.repeat(np.arange(len(fields)), [len(entry[0]) for entry in each])
        indices = np.array([index for entry in each for index in entry[0]], np.int64)
        values = np.array([value for entry in each for value in entry[1]], np.float64)
        return [(rows, indices, values)], [n for n, entry in enumerate(each) if entry[2]]

    def _value_parts(self, code: ColumnCode, numbers: Any) -> list[Part]:
        """Return the entries for the values of a number that has few."""
        if not code.values:
            return []
        places = self._places[code.name]
        found = np.array([places.get(number, -1) for number in numbers.tolist()], np.int64)
        known = np.nonzero(found >= 0)[0]
        rows = None if len(known) == len(found) else known
        return [(rows, found[known], np.ones(len(known)))]

    def _entries(self, code: ColumnCode, field: str, counts: Counts) -> Entries:
        """Return the features of one field."""
        if code.is_number:
            return _number_entries(code, field, counts, self._places[code.name])
        if code.values:
            return self._value_entries(code, field, counts)
        if code.kind == DATE:
            return _date_entries(code, field, counts)
        if code.kind == TEXT:
            if is_missing(field):
                return [code.first + hashed_place(f"{code.name}=", code.width)], [1.0], False
            places, values = text_entries(field, code.width, f"{code.name} ")
            weighed = [code.weight * value for value in values]
            return [code.first + place for place in places], weighed, False
        return _hashed_entries(code, field)

    def _value_entries(self, code: ColumnCode, field: str, counts: Counts) -> Entries:
        places = self._places[code.name]
        place = places.get(field)
        if place is None and is_missing(field):
            place = places.get("")
        elif place is None:
            key = canonical(field)
            place = places.get(key.lower() if code.kind == YES_NO else key)
        if place is not None:
            return [place], [1.0], False
        counts[NEW_GAP if is_missing(field) else NEW_VALUE, code.name] += 1
        return [], [], False


def needed_number(name: str) -> str:
    """Return what a row must do whose field in a column of numbers is none, to follow "must"."""
    return f"have a number of size at most {LARGEST:g} in column {name}"


def _places(code: ColumnCode) -> dict[Any, int]:
    """Return the feature of each value, that of a missing one under an empty text.

    Values of a category are texts, those of a number with few values are numbers.
    """
    if code.kind == NUMBER:
        return {float(value): code.first + 1 + n for n, value in enumerate(code.values)}
    places = {value: code.first + n for n, value in enumerate(code.values)}
    if code.kind == YES_NO:
        for place, words in ((code.first, NO_WORDS), (code.first + 1, YES_WORDS)):
            for word in words:
                places |= dict.fromkeys((word, word.upper(), word.capitalize()), place)
    if code.gap and code.values:
        for word in MISSING:
            places.setdefault(word, code.first + len(code.values))
    return places


def _number_entries(
    code: ColumnCode, field: str, counts: Counts, places: Mapping[Any, int]
) -> Entries:
    number = read_number(field, code.style)
    if number is None and code.binary and field.lower() in NO_WORDS + YES_WORDS:
        number = float(field.lower() in YES_WORDS)
    if number is not None and abs(number) <= LARGEST:
        own = [places[number]] if number in places else []
        return [code.first, *own], [number, *([1.0] * len(own))], False
    infinite = number is not None and not math.isnan(number)
    if infinite or (number is None and code.strict):
        return [], [], True
    if number is None:
        counts[NO_NUMBER, code.name] += 1
    elif not code.gap:
        counts[NEW_GAP, code.name] += 1
    gap = [code.first + code.width - 1] if code.gap else []
    return [code.first, *gap], [code.fill, *([1.0] * len(gap))], False


def _date_entries(code: ColumnCode, field: str, counts: Counts) -> Entries:
    date = None if is_missing(field) else read_date(field, code.style)
    if date is not None:
        values = [v for part in code.parts for v in part_values(date, part, code.start, code.span)]
        return list(range(code.first, code.first + len(values))), values, False
    if not is_missing(field):
        counts[NO_DATE, code.name] += 1
    elif not code.gap:
        counts[NEW_GAP, code.name] += 1
    gap = [code.first + code.width - 1] if code.gap else []
    trend = [code.first + sum(PARTS[p] for p in code.parts) - 1] if "trend" in code.parts else []
    return [*trend, *gap], [code.fill] * len(trend) + [1.0] * len(gap), False


def _hashed_entries(code: ColumnCode, field: str) -> Entries:
    """Return the features of a field of a category of too many values, or of a named column."""
    if code.kind == NAMED and field and not is_missing(field):
        number = plain_number(field)
        if number is not None or code.strict:
            bad = number is None or not abs(number) <= LARGEST
            place = code.first + hashed_place(code.name, code.width)
            return [place], [0.0 if number is None else number], bad
    if is_missing(field) and not code.gap:
        return [], [], False
    text = "" if is_missing(field) else canonical(field)
    return [code.first + hashed_place(f"{code.name}={text}", code.width)], [1.0], False


def _join(parts: list[tuple[Any, Any, Any]], count: int) -> SparseRows:
    """Return rows of entries that are given column by column."""
    if not parts:
        return SparseRows(np.zeros(count + 1, np.int64), np.empty(0, np.int32), np.empty(0))
    if all(rows is None for rows, _, _ in parts):
        starts = np.arange(count + 1, dtype=np.int64) * len(parts)
        indices = np.array([part[1] for part in parts]).T.reshape(-1)
        values = np.array([part[2] for part in parts]).T.reshape(-1)
        return SparseRows(starts, indices.astype(np.int32), values)
    everyone = np.arange(count)
    rows = np.concatenate([everyone if part[0] is None else part[0] for part in parts])
    order = np.argsort(rows, kind="stable")
    starts = np.searchsorted(rows[order], np.arange(count + 1)).astype(np.int64)
    indices = np.concatenate([part[1] for part in parts])[order].astype(np.int32)
    return SparseRows(starts, indices, np.concatenate([part[2] for part in parts])[order])
