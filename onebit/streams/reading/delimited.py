"""Tables in text: one record a line, with a comma or another character between fields."""

from __future__ import annotations

import csv
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from onebit.errors import BadFile
from onebit.streams.reading import tabular
from onebit.streams.reading.bad_lines import BadLines, notify_once
from onebit.streams.reading.batch import Batch, Layout, Reading
from onebit.streams.reading.dialect import DELIMITERS, HEAD, find_delimiter, find_header
from onebit.streams.reading.lines import LATIN_1, VALID_TEXT, Lines, show_invalid
from onebit.streams.reading.records import explain_error, table_splitter
from onebit.streams.reading.rules import AUTO
from onebit.streams.reading.source import Source
from onebit.streams.reading.stdin import interrupted
from onebit.streams.reading.table_header import Header, TableOptions, make_header
from onebit.streams.reading.table_pieces import Table, new_table, survey_table, table_batches
from onebit.streams.reading.tabular import Record
from onebit.streams.tables.building import named_encoder

#: Files with this ending have no header by convention.
HEADERLESS_ENDING = ".data"


class DelimitedOptions(TableOptions, Protocol):
    """The parameters of a table in text."""

    @property
    def header(self) -> str:
        """Whether the first line is names."""

    @property
    def delimiter(self) -> str:
        """What is between fields."""

    @property
    def encoding(self) -> str:
        """How characters are written."""

    def csv_options(self, delimiter: str) -> dict[str, Any]:
        """Return the arguments of csv.reader."""


class Found(NamedTuple):
    """How a table is written: what is between fields, and whether the first record is names."""

    delimiter: str
    has_names: bool


class Opened(NamedTuple):
    """A table of which the first records were read.

    Attributes
    ----------
    header : Header
        The columns.
    records : iterator of Record
        All records, those that were read among them.
    table : Table
        What compiled code needs to read them from the beginning of the file.
    found : Found
        How it is written.
    """

    header: Header
    records: Iterator[Record]
    table: Table
    found: Found


def survey(
    reading: Reading, options: DelimitedOptions, on_batch: Callable[[Batch], object]
) -> Layout:
    """Find out what each column is."""
    who = f"onebit: {reading.source.name}"
    header, records, table, found = _open_table(reading, options)
    if is_compiled(reading):
        layout = survey_table(who, header, table, reading, on_batch)
    else:
        layout = tabular.survey(who, header, records, on_batch)
    return layout._replace(details=found)


def batches(reading: Reading, options: DelimitedOptions, layout: Layout) -> Iterator[Batch]:
    """Read the rows."""
    header, records, table, _ = _open_table(reading, options, layout.details)
    encoder = layout.encoder
    if encoder is not None and is_compiled(reading):
        return table_batches(table, encoder, reading)
    if encoder is None:
        encoder = named_encoder(header.names, header.label, header.wishes)
    return tabular.batches(header, records, encoder, reading.bad_lines)


def records(reading: Reading, options: DelimitedOptions) -> Iterator[Record]:
    """Return the records as text, with their lines."""
    return _open_table(reading, options).records


def is_compiled(reading: Reading) -> bool:
    """Return whether compiled code reads a file: only what can be read from its start again."""
    return reading.source.repeatable


def _open_table(reading: Reading, options: DelimitedOptions, known: Found | None = None) -> Opened:
    """Read the header, or number the columns, and return it with the records that follow."""
    name = reading.source.name
    latin_1 = options.encoding in (AUTO, LATIN_1)
    lines = Lines(reading.source, latin_1=latin_1)
    text = iter(lines)
    head = list(itertools.islice(text, HEAD))
    delimiter = known.delimiter if known else _delimiter(f"onebit: {name}", options, head)
    found = _read_records(reading, options, lines, itertools.chain(head, text), delimiter)
    first = list(itertools.islice(found, HEAD))
    if not first and interrupted.is_set():
        raise KeyboardInterrupt
    if not first:
        raise BadFile(f"onebit: {name} must have rows, got none.")
    has_names = (
        known.has_names
        if known
        else _has_header(reading.source, options, [fields for _, fields in first])
    )
    names = list(first[0][1])
    if not has_names:
        names = [str(n + 1) for n in range(len(names))]
    _tell(name, lines, delimiter, has_names, reading.source)
    header = make_header(f"onebit: {name}", names, options)
    rest = itertools.chain(first[has_names:], found)
    seen = first[-1][0] if len(first) == HEAD else sys.maxsize
    splitter = table_splitter(len(names), options.csv_options(delimiter))
    table = new_table(splitter, header.label, int(has_names), seen, latin_1)
    found_rest = _of_width(rest, len(names), reading.bad_lines)
    return Opened(header, found_rest, table, Found(delimiter, has_names))


def _delimiter(who: str, options: DelimitedOptions, head: list[str]) -> str:
    given = options.delimiter
    if given == AUTO:
        given = getattr(options, "USUAL_DELIMITER", AUTO)
    if given != AUTO:
        return DELIMITERS[given]
    return find_delimiter(who, [line for line in head if line.strip()])


def _has_header(source: Source, options: DelimitedOptions, first: list[Any]) -> bool:
    """Return whether the first record is names."""
    if options.header == AUTO:
        return source.ending != HEADERLESS_ENDING and find_header(f"onebit: {source.name}", first)
    return options.header == "yes"


def _tell(name: str, lines: Lines, delimiter: str, has_names: bool, source: Source) -> None:
    """Print what was found that is not as usual."""
    word = next(word for word, mark in DELIMITERS.items() if mark == delimiter)
    usual = delimiter in (",", "\t"), has_names or source.ending == HEADERLESS_ENDING
    told = [f"{word}s between fields"] * (not usual[0])
    told += ["no names in the first line"] * (not usual[1])
    if told:
        notify_once(f"{name}: {', '.join(told)}")


def _read_records(
    reading: Reading,
    options: DelimitedOptions,
    lines: Lines,
    text: Iterable[str],
    delimiter: str,
) -> Iterator[Record]:
    """Return every record that is valid text, with the number of the line where it ends."""
    reader = csv.reader((line + "\n" for line in text), **options.csv_options(delimiter))
    while True:
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            reading.bad_lines.reject(reader.line_num, *explain_error(error, lines.suspect))
            continue
        if not fields:
            continue
        if lines.suspect and lines.is_invalid(joined := "".join(fields)):
            reading.bad_lines.reject(reader.line_num, VALID_TEXT, show_invalid(joined))
            continue
        yield reader.line_num, fields


def _of_width(records: Iterator[Record], width: int, bad_lines: BadLines) -> Iterator[Record]:
    """Return the records with this number of fields; the others are malformed."""
    for line, fields in records:
        if len(fields) == width:
            yield line, fields
        else:
            bad_lines.reject(line, f"have {width} fields", f"{len(fields)}")
