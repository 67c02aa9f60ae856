"""Tables: records of fields, of which one is the label and the others become features.

A column whose fields are all numbers is one feature. Any other column is
categorical: one feature a value, or hashed where it has too many values. An
empty field sets nothing. Without a first pass every column is hashed by its
name, as the Agent does with rows of named features.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import numpy as np

from onebit.errors import BadInput
from onebit.kernel.block import BLOCK
from onebit.kernel.features import LARGEST
from onebit.kernel.rows import SparseRows
from onebit.kernel.state import NUMERIC, Column
from onebit.naming.params import short_repr
from onebit.streams.reading.bad_lines import Bad
from onebit.streams.reading.batch import Batch, Layout, no_rows
from onebit.streams.reading.labels import in_order
from onebit.streams.reading.rules import AUTO

#: A column with more values than this is hashed.
MANY = 4096
#: Fields held at a time.
_FIELDS = 500_000

_NUMBER = re.compile(
    r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(nan|inf|infinity)",
    re.ASCII | re.IGNORECASE,
)

Record = tuple[int, Sequence[str]]


class Options(Protocol):
    """The parameters that formats of tables share."""

    @property
    def label(self) -> str:
        """The label's column."""

    @property
    def numbers(self) -> Any:
        """Columns that must be numbers."""

    @property
    def categories(self) -> Any:
        """Columns that are no numbers."""

    @property
    def values(self) -> Any:
        """The order of a column's values."""

    @property
    def hashed(self) -> int:
        """How many features the values of a column with too many are hashed to."""


class Header(NamedTuple):
    """The names of the columns, the place of the label, and what is known of some columns.

    `orders` holds the first values of columns, in order; those of None are for all others.
    """

    names: Sequence[str]
    label: int
    kinds: dict[str, str]
    orders: Mapping[str | None, Sequence[str]] = MappingProxyType({})


class Feature(NamedTuple):
    """A column that is not the label, and the features that it may set.

    `kind` is "number" (one feature), "values" (one a value, at its place), "hashed" (one a
    value, hashed to `width` features) or "named" (as hashed, but numbers are one feature).
    `strict` allows only numbers.
    """

    name: str
    kind: str
    first: int = 0
    width: int = 1
    places: Mapping[str, int] = MappingProxyType({})
    strict: bool = False


def find_label(who: str, names: Sequence[str], label: str) -> int:
    """Return the place of the column that holds the label: by name, number, first or last."""
    if names.count(label) == 1:
        return names.index(label)
    if label.isdigit() and 1 <= int(label) <= len(names):
        return int(label) - 1
    if label in ("first", "last"):
        return 0 if label == "first" else len(names) - 1
    raise BadInput(
        f"{who}: a column must be one of {short_repr(', '.join(names))} or 1 to {len(names)},"
        f" got {short_repr(label)}."
    )


def forced(who: str, names: Sequence[str], options: Options) -> dict[str, str]:
    """Return the columns whose kind the user gives."""
    kinds = {}
    for kind in ("numbers", "categories"):
        given = getattr(options, kind)
        for column in () if given == AUTO else given:
            kinds[names[find_label(who, names, column)]] = kind
    return kinds


def orders(who: str, names: Sequence[str], given: Any) -> dict[str | None, Sequence[str]]:
    """Return the values of columns that the user gives; `all` stands for the other columns."""
    found: dict[str | None, Sequence[str]] = {}
    for word in () if isinstance(given, str) else given:
        column, *values = word.split("/")
        everywhere = column == "all" and column not in names
        found[None if everywhere else names[find_label(who, names, column)]] = values
    return found


def survey(
    header: Header, records: Iterable[Record], options: Options, see: Callable[[Batch], object]
) -> Layout:
    """Go over the records and find out what each column is."""
    columns = [_Seen() for _ in header.names]
    for lines, fields in grouped(records, len(header.names)):
        for place, seen in enumerate(columns):
            if place != header.label:
                seen.look(fields[place])
        labels = list(fields[header.label])
        see(Batch(no_rows(len(lines)), labels, np.array(lines, np.int64)))
    return _arranged(header, columns, options)


def blind(header: Header, options: Options) -> Layout:
    """Return the features of a table that is not gone over first: all hashed by name."""
    hashed = []
    for place, name in enumerate(header.names):
        given = "categories" if name in header.orders else header.kinds.get(name)
        kind = "hashed" if given == "categories" else "named"
        if place != header.label:
            strict = given == "numbers"
            hashed.append(Feature(name, kind, width=options.hashed, strict=strict))
    return Layout(options.hashed, (), hashed)


def batches(header: Header, records: Iterable[Record], layout: Layout, bad: Bad) -> Iterator[Batch]:
    """Turn records into rows."""
    places = [place for place in range(len(header.names)) if place != header.label]
    for lines, fields in grouped(records, len(header.names)):
        fine = np.ones(len(lines), np.bool_)
        encoded = []
        for feature, place in zip(layout.notes, places, strict=True):
            *pair, wrong = _encode(feature, fields[place])
            for n in wrong:
                if fine[n]:
                    must = f"have a finite number in column {feature.name}"
                    bad.line(lines[n], must, fields[place][n])
                fine[n] = False
            encoded.append(pair)
        indices = np.array([pair[0] for pair in encoded], np.int64).reshape(-1, len(lines)).T
        values = np.array([pair[1] for pair in encoded]).reshape(-1, len(lines)).T
        set_ = (indices >= 0) & fine[:, None]
        starts = np.concatenate([[0], np.cumsum(set_.sum(1)[fine])]).astype(np.int64)
        rows = SparseRows(starts, indices[set_].astype(np.int32), values[set_])
        labels = list(itertools.compress(fields[header.label], fine.tolist()))
        yield Batch(rows, labels, np.array(lines, np.int64)[fine])


def grouped(records: Iterable[Record], width: int) -> Iterator[tuple[list[int], list[Any]]]:
    """Return records some at a time: their lines, and their fields column by column."""
    records = iter(records)
    size = max(1, min(BLOCK, _FIELDS // width))
    while group := list(itertools.islice(records, size)):
        yield [line for line, _ in group], list(zip(*(f for _, f in group), strict=True))


class _Seen:
    """What a first pass has seen of a column: whether all are numbers, and its values."""

    def __init__(self) -> None:
        self.numbers = True
        self.values: dict[str, None] = {}
        self.many = False

    @property
    def bits(self) -> bool:
        """Whether all are 0 or 1."""
        return not self.many and {_number(value) for value in self.values} <= {0.0, 1.0}

    def look(self, fields: Sequence[str]) -> None:
        """Take note of some fields."""
        new = [field for field in dict.fromkeys(fields) if field and field not in self.values]
        self.numbers = self.numbers and all(map(is_number, new))
        if not self.many:
            self.values |= dict.fromkeys(new)
            self.many = len(self.values) > MANY
        if self.many:
            self.values = {}


def _arranged(header: Header, fields: Sequence[_Seen], options: Options) -> Layout:
    """Give each column its features, in the order of the file; the hashed ones come last."""
    found: list[Feature] = []
    columns: list[Column] = []
    at = 0
    for place, (name, seen) in enumerate(zip(header.names, fields, strict=True)):
        if place == header.label:
            continue
        kind = "categories" if name in header.orders else header.kinds.get(name)
        if kind == "numbers" or (kind is None and seen.numbers):
            found.append(Feature(name, "number", at))
            if not seen.bits:
                columns.append(Column(at, 1, NUMERIC))
            at += 1
        elif seen.many:
            found.append(Feature(name, "hashed", width=options.hashed))
        else:
            values = list(seen.values) if options.values == "seen" else in_order(seen.values)
            first = header.orders.get(name, header.orders.get(None, ()))
            values = list(dict.fromkeys([*first, *values]))
            places = {value: n for n, value in enumerate(values)}
            found.append(Feature(name, "values", at, len(values), places))
            columns.append(Column(at, len(values), len(values)))
            at += len(values)
    hashes = any(feature.kind == "hashed" for feature in found)
    found = [f._replace(first=at) if f.kind == "hashed" else f for f in found]
    return Layout(max(at + (options.hashed if hashes else 0), 1), tuple(columns), found)


def _encode(feature: Feature, fields: Sequence[str]) -> tuple[list[int], list[float], list[int]]:
    """Return the feature each field sets (-1 for none), its value, and which fields are wrong."""
    if feature.kind == "number":
        numbers = [_number(field) if field else 0.0 for field in fields]
        wrong = [n for n, number in enumerate(numbers) if not abs(number) <= LARGEST]
        return [feature.first] * len(fields), numbers, wrong
    if feature.kind == "values":
        places = [feature.places.get(field, -1) for field in fields]
        return [p if p < 0 else feature.first + p for p in places], [1.0] * len(places), []
    import mmh3

    indices, values, wrong = [], [], []
    for n, field in enumerate(fields):
        text, value = f"{feature.name}={field}", 1.0
        if feature.kind == "named" and field and (feature.strict or is_number(field)):
            text, value = feature.name, _number(field)
            if not abs(value) <= LARGEST:
                wrong.append(n)
        place = mmh3.hash(text, signed=False) % feature.width
        indices.append(feature.first + place if field else -1)
        values.append(value)
    return indices, values, wrong


def is_number(field: str) -> bool:
    """Say whether a field is a number."""
    return _NUMBER.fullmatch(field.strip()) is not None


def _number(field: str) -> float:
    """Return a field's number, nan if it is none."""
    return float(field) if is_number(field) else math.nan
