"""The features of a table: what a first pass finds in each column, and how fields are encoded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from onebit.errors import BadFile
from onebit.kernel.features import LARGEST, WIDEST
from onebit.kernel.sizes import NUMERIC, Column
from onebit.streams.reading.batch import Layout
from onebit.streams.reading.labels import sort_texts
from onebit.streams.reading.numbers import is_field_number, read_field_number
from onebit.streams.reading.table_header import Header, TableOptions

#: A column with more values than this is hashed.
MOST_VALUES = 4096


class ColumnEncoding(NamedTuple):
    """How the fields of a column become features.

    `kind` is "number" (one feature), "values" (one feature for each value, at `places`),
    "hashed" (values are hashed to `width` features) or "named" (as hashed, but numbers are the
    value of one feature). If `strict`, only numbers are allowed.
    """

    name: str
    kind: str
    first: int = 0
    width: int = 1
    places: Mapping[str, int] = MappingProxyType({})
    strict: bool = False


class ColumnSurvey:
    """What a first pass finds in a column: whether all fields are numbers, and its values."""

    def __init__(self) -> None:
        self.all_numbers = True
        self.values: dict[str, None] = {}
        self.too_many = False

    @property
    def is_binary(self) -> bool:
        """Whether all values are 0 or 1."""
        return not self.too_many and set(map(read_field_number, self.values)) <= {0.0, 1.0}

    def add(self, fields: Sequence[str]) -> None:
        """Add some fields of the column."""
        new = [field for field in dict.fromkeys(fields) if field and field not in self.values]
        self.all_numbers = self.all_numbers and all(map(is_field_number, new))
        if not self.too_many:
            self.values |= dict.fromkeys(new)
            self.too_many = len(self.values) > MOST_VALUES
        if self.too_many:
            self.values = {}


def surveyed_layout(
    header: Header, surveys: Sequence[ColumnSurvey], options: TableOptions
) -> Layout:
    """Return the features of a table after a first pass, column by column, the hashed ones last."""
    encodings: list[ColumnEncoding] = []
    columns: list[Column] = []
    end = 0
    for place, (name, survey) in enumerate(zip(header.names, surveys, strict=True)):
        if place == header.label:
            continue
        kind = "categories" if name in header.orders else header.kinds.get(name)
        if kind == "numbers" or (kind is None and survey.all_numbers):
            encodings.append(ColumnEncoding(name, "number", end))
            if not survey.is_binary:
                columns.append(Column(end, 1, NUMERIC))
            end += 1
        elif survey.too_many:
            encodings.append(ColumnEncoding(name, "hashed", width=options.hashed))
        else:
            values = list(survey.values) if options.values == "seen" else sort_texts(survey.values)
            first = header.orders.get(name, header.orders.get(None, ()))
            values = list(dict.fromkeys([*first, *values]))
            places = {value: n for n, value in enumerate(values)}
            encodings.append(ColumnEncoding(name, "values", end, len(values), places))
            columns.append(Column(end, len(values), len(values)))
            end += len(values)
    any_hashed = any(encoding.kind == "hashed" for encoding in encodings)
    encodings = [e._replace(first=end) if e.kind == "hashed" else e for e in encodings]
    features = max(end + (options.hashed if any_hashed else 0), 1)
    if features > WIDEST:
        raise BadFile(f"onebit: a table must have at most {WIDEST:,} features, got {features:,}.")
    return Layout(features, tuple(columns), encodings)


def hashed_layout(header: Header, options: TableOptions) -> Layout:
    """Return the features of a table without a first pass: every column is hashed by its name."""
    encodings = []
    for place, name in enumerate(header.names):
        given = "categories" if name in header.orders else header.kinds.get(name)
        kind = "hashed" if given == "categories" else "named"
        if place != header.label:
            strict = given == "numbers"
            encodings.append(ColumnEncoding(name, kind, width=options.hashed, strict=strict))
    return Layout(options.hashed, (), encodings)


def encode(
    encoding: ColumnEncoding, fields: Sequence[str]
) -> tuple[list[int], list[float], list[int]]:
    """Return the feature of each field (-1 for none), its value, and which fields are invalid."""
    if encoding.kind == "number":
        numbers = [read_field_number(field) if field else 0.0 for field in fields]
        invalid = [n for n, number in enumerate(numbers) if not abs(number) <= LARGEST]
        return [encoding.first] * len(fields), numbers, invalid
    if encoding.kind == "values":
        places = [encoding.places.get(field, -1) for field in fields]
        return [p if p < 0 else encoding.first + p for p in places], [1.0] * len(places), []
    import mmh3

    indices, values, invalid = [], [], []
    for n, field in enumerate(fields):
        text, value = f"{encoding.name}={field}", 1.0
        if encoding.kind == "named" and field and (encoding.strict or is_field_number(field)):
            text, value = encoding.name, read_field_number(field)
            if not abs(value) <= LARGEST:
                invalid.append(n)
        place = mmh3.hash(text, signed=False) % encoding.width
        indices.append(encoding.first + place if field else -1)
        values.append(value)
    return indices, values, invalid
