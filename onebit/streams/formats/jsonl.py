"""jsonl: one JSON object a line, `{"x": {"name": value, ...}, "y": label}`, or a flat record."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated, Any, NamedTuple

from onebit.kernel.features import HASHED_WIDTH, WIDEST
from onebit.naming.params import Auto, Whole, short_repr
from onebit.streams.formats import file_format
from onebit.streams.reading import json_objects, tabular
from onebit.streams.reading.bad_lines import BadLines
from onebit.streams.reading.batch import Batch, Layout, Reading
from onebit.streams.reading.delimited import is_compiled
from onebit.streams.reading.json_objects import NO_OBJECT, parse_object, read_objects
from onebit.streams.reading.json_tables import json_table
from onebit.streams.reading.label_sets import labels_text
from onebit.streams.reading.rules import (
    AUTO,
    CategoryColumns,
    HashedWidth,
    Kinds,
    NameOrNumber,
    NumberColumns,
    Scaled,
    ValuesOrder,
)
from onebit.streams.reading.source import Source
from onebit.streams.reading.table_header import Header, make_header
from onebit.streams.reading.table_pieces import survey_table, table_batches
from onebit.streams.reading.tabular import Record
from onebit.streams.tables.fields import text_of

#: Records of a table in which its names are looked for.
_RECORDS = 1000


@file_format(".jsonl", ".ndjson")
class Jsonl(NamedTuple):
    """JSON lines: each row an object of named features or a list of numbers, and its label.

    Objects without an "x" are the records of a table. A list of labels says that all of them are
    right, an object {label: degree} how relevant each is.
    """

    LISTS = True  # type: ignore[misc]

    label: Annotated[str, NameOrNumber(), "the name of the label; of a table, last if no y"] = "y"
    features: Annotated[Any, Auto(Whole(1, WIDEST)), "how many features a row has"] = AUTO
    kinds: Kinds = AUTO
    numbers: NumberColumns = AUTO
    categories: CategoryColumns = AUTO
    values: ValuesOrder = "sorted"
    hashed: HashedWidth = HASHED_WIDTH
    scale: Scaled = "yes"

    def layout(self, repeatable: bool) -> Layout | None:
        """Names are hashed to 2**18 features; a first pass finds the length of lists."""
        if self.features != AUTO:
            return Layout(self.features)
        return None if repeatable else Layout(HASHED_WIDTH)

    def survey(self, reading: Reading, on_batch: Callable[[Batch], object]) -> Layout:
        """Find out whether rows are lists, and how long, or what the columns of a table are."""
        if names := first_names(reading.source):
            header, who = self._header(reading, names), f"onebit: {reading.source.name}"
            if is_compiled(reading):
                table = json_table(header, None, partial(_read_line, header))
                return survey_table(who, header, table, reading, on_batch)
            return tabular.survey(who, header, flat_records(reading, header), on_batch)
        layout = Layout(first_width(reading.source))
        for batch in self.batches(reading, layout):
            on_batch(batch)
        return layout

    def table(self, reading: Reading) -> Iterator[Record]:
        """Return the records as text, with their lines."""
        return flat_records(reading, self._header(reading, first_names(reading.source)))

    def batches(self, reading: Reading, layout: Layout) -> Iterator[Batch]:
        """Read the rows."""
        if layout.encoder is not None:
            header = self._header(reading, [code.name for code in layout.encoder.codes])
            if is_compiled(reading):
                table = json_table(header, layout.encoder, partial(_read_line, header))
                return table_batches(table, layout.encoder, reading)
            records = flat_records(reading, header)
            return tabular.batches(header, records, layout.encoder, reading.bad_lines)
        return json_objects.batches(reading, self.label, layout.features)

    def prepare(self) -> None:
        """Compile the reader."""
        json_objects.prepare(self.label)

    def _header(self, reading: Reading, names: list[str]) -> Header:
        """Return the header of a table; without a "y", its last column is the label."""
        label = "last" if self.label == "y" and "y" not in names else self.label
        return make_header(f"onebit: {reading.source.name}", names, self._replace(label=label))


def first_names(source: Source) -> list[str]:
    """Return the names of a table from its first records; none if the first has an "x"."""
    objects = read_objects(Reading(source, BadLines("", skip=True)))
    first = [item for _, item in itertools.islice(objects, _RECORDS)]
    if not first or "x" in first[0]:
        return []
    return list(dict.fromkeys(name for item in first for name in item))


def flat_records(reading: Reading, header: Header) -> Iterator[Record]:
    """Return every record of a table as fields of text, with its line; other names are not read."""
    for line, item in read_objects(reading):
        fields = _fields(header, item)
        if isinstance(fields, tuple):
            reading.bad_lines.reject(line, *fields)
        else:
            yield line, fields


def _fields(header: Header, item: dict[str, Any]) -> list[str] | tuple[str, str]:
    """Return the fields of an object, or what its line must do and what it has."""
    values = [item.get(name) for name in header.names]
    if isinstance(values[header.label], dict | list):
        values[header.label] = labels_text(values[header.label]) or {}
    if any(isinstance(value, dict | list) for value in values):
        must = 'have single values and a label or several, or an "x" and a label'
        return must, short_repr(item)
    return list(map(text_of, values))


def _read_line(header: Header, line: str) -> list[str] | tuple[str, str]:
    """Return the fields of a line, or what it must do and what it has."""
    item = parse_object(line)
    return (NO_OBJECT, line[:80]) if item is None else _fields(header, item)


def first_width(source: Source) -> int:
    """Return the length of the first row if it is a list, else the width of hashed names."""
    _, first = next(read_objects(Reading(source, BadLines("", skip=True))), (0, {}))
    return max(len(first["x"]), 1) if isinstance(first.get("x"), list) else HASHED_WIDTH
