"""Tables in text: one record a line, fields with a comma or a tab between them."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from onebit.errors import BadInput
from onebit.streams.reading import tabular as table
from onebit.streams.reading.bad_lines import Bad
from onebit.streams.reading.batch import Batch, Layout, Reading
from onebit.streams.reading.lines import CLEAN, Lines, shown
from onebit.streams.reading.rules import AUTO
from onebit.streams.reading.source import Source
from onebit.streams.reading.tabular import Header, Options, Record

#: Files with this ending have no header, by custom.
HEADLESS = ".data"


class Separated(Options, Protocol):
    """The parameters of a table in text."""

    @property
    def header(self) -> str:
        """Whether the first line is names."""


def survey(
    reading: Reading, options: Separated, style: dict[str, Any], see: Callable[[Batch], object]
) -> Layout:
    """Go over the file and find out what each column is."""
    header, records = _opened(reading, options, style)
    return table.survey(header, records, options, see)


def batches(
    reading: Reading, options: Separated, style: dict[str, Any], layout: Layout
) -> Iterator[Batch]:
    """Read the rows."""
    header, records = _opened(reading, options, style)
    if layout.notes is None:
        layout = table.blind(header, options)
    return table.batches(header, records, layout, reading.bad)


def _opened(
    reading: Reading, options: Separated, style: dict[str, Any]
) -> tuple[Header, Iterator[Record]]:
    """Read the header, or make one up of numbers, and return the records behind it."""
    records = _records(reading, style)
    try:
        first = next(records)
    except StopIteration:
        raise BadInput(f"onebit: {reading.source.name} must have rows, got none.") from None
    names = list(first[1])
    if not _has_header(reading.source, options, names):
        names = [str(n + 1) for n in range(len(names))]
        records = itertools.chain([first], records)
    who = f"onebit: {reading.source.name}"
    label = table.find_label(who, names, options.label)
    kinds = table.forced(who, names, options)
    orders = table.orders(who, names, options.values)
    return Header(names, label, kinds, orders), _of_width(records, len(names), reading.bad)


def _has_header(source: Source, options: Separated, first: list[str]) -> bool:
    """Say whether the first line is names: unless the label's column is named, not with numbers."""
    if options.header == AUTO:
        numbers = options.label.isdigit() and any(map(table.is_number, first))
        return source.ending != HEADLESS and not numbers
    return options.header == "yes"


def _records(reading: Reading, style: dict[str, Any]) -> Iterator[Record]:
    """Return every record that is clean text, with the number of the line where it ends."""
    lines = Lines(reading.source)
    reader = csv.reader((line + "\n" for line in lines), **style)
    while True:
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            must = f"have fields of at most {csv.field_size_limit():,} letters"
            reading.bad.line(reader.line_num, must, str(error))
            continue
        if not fields:
            continue
        if lines.dirty and lines.soiled(text := "".join(fields)):
            reading.bad.line(reader.line_num, CLEAN, shown(text))
            continue
        yield reader.line_num, fields


def _of_width(records: Iterator[Record], width: int, bad: Bad) -> Iterator[Record]:
    for line, fields in records:
        if len(fields) == width:
            yield line, fields
        else:
            bad.line(line, f"have {width} fields", f"{len(fields)}")
