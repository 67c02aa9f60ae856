"""Tables in text: one record a line, with a comma or a tab between fields."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from onebit.errors import BadFile
from onebit.streams.reading import tabular
from onebit.streams.reading.bad_lines import BadLines
from onebit.streams.reading.batch import Batch, Layout, Reading
from onebit.streams.reading.lines import VALID_TEXT, Lines, show_invalid
from onebit.streams.reading.numbers import is_field_number
from onebit.streams.reading.rules import AUTO
from onebit.streams.reading.source import Source
from onebit.streams.reading.table_columns import hashed_layout
from onebit.streams.reading.table_header import Header, TableOptions, make_header
from onebit.streams.reading.tabular import Record

#: Files with this ending have no header by convention.
HEADERLESS_ENDING = ".data"


class DelimitedOptions(TableOptions, Protocol):
    """The parameters of a table in text."""

    @property
    def header(self) -> str:
        """Whether the first line is names."""

    def csv_options(self) -> dict[str, Any]:
        """Return the arguments of csv.reader."""


def survey(
    reading: Reading, options: DelimitedOptions, on_batch: Callable[[Batch], object]
) -> Layout:
    """Find out what each column is."""
    header, records = _open_table(reading, options)
    return tabular.survey(header, records, options, on_batch)


def batches(reading: Reading, options: DelimitedOptions, layout: Layout) -> Iterator[Batch]:
    """Read the rows."""
    header, records = _open_table(reading, options)
    if layout.details is None:
        layout = hashed_layout(header, options)
    return tabular.batches(header, records, layout, reading.bad_lines)


def _open_table(reading: Reading, options: DelimitedOptions) -> tuple[Header, Iterator[Record]]:
    """Read the header, or number the columns, and return it with the records that follow."""
    records = _read_records(reading, options)
    try:
        first = next(records)
    except StopIteration:
        raise BadFile(f"onebit: {reading.source.name} must have rows, got none.") from None
    names = list(first[1])
    if not _has_header(reading.source, options, names):
        names = [str(n + 1) for n in range(len(names))]
        records = itertools.chain([first], records)
    header = make_header(f"onebit: {reading.source.name}", names, options, {})
    return header, _of_width(records, len(names), reading.bad_lines)


def _has_header(source: Source, options: DelimitedOptions, first: list[str]) -> bool:
    """Return whether the first line is names.

    If auto, it is not if the label's column is given by number and a field is a number.
    """
    if options.header == AUTO:
        numbers = options.label.isdigit() and any(map(is_field_number, first))
        return source.ending != HEADERLESS_ENDING and not numbers
    return options.header == "yes"


def _read_records(reading: Reading, options: DelimitedOptions) -> Iterator[Record]:
    """Return every record that is valid text, with the number of the line where it ends."""
    lines = Lines(reading.source)
    reader = csv.reader((line + "\n" for line in lines), **options.csv_options())
    while True:
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            must = f"have fields of at most {csv.field_size_limit():,} characters"
            if "new-line" in str(error):
                must = "have a carriage return only before its newline or in quotes"
            reading.bad_lines.reject(reader.line_num, must, str(error).partition(" - ")[0])
            continue
        if not fields:
            continue
        if lines.suspect and lines.is_invalid(text := "".join(fields)):
            reading.bad_lines.reject(reader.line_num, VALID_TEXT, show_invalid(text))
            continue
        yield reader.line_num, fields


def _of_width(records: Iterator[Record], width: int, bad_lines: BadLines) -> Iterator[Record]:
    """Return the records with this number of fields; the others are malformed."""
    for line, fields in records:
        if len(fields) == width:
            yield line, fields
        else:
            bad_lines.reject(line, f"have {width} fields", f"{len(fields)}")
