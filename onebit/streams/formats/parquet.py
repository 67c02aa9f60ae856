"""parquet: Parquet and Arrow files, by pyarrow (the extra `parquet`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from onebit.errors import BadFile
from onebit.kernel.features import HASHED_WIDTH
from onebit.streams.formats import file_format
from onebit.streams.reading import tabular
from onebit.streams.reading.arrow_file import open_arrow
from onebit.streams.reading.arrow_tables import arrow_batches, arrow_table
from onebit.streams.reading.bad_lines import BadLines
from onebit.streams.reading.batch import Batch, Layout, Reading
from onebit.streams.reading.delimited import is_compiled
from onebit.streams.reading.label_sets import labels_text
from onebit.streams.reading.lines import VALID_TEXT, show_invalid
from onebit.streams.reading.rules import (
    AUTO,
    CategoryColumns,
    HashedWidth,
    Kinds,
    LabelColumn,
    NumberColumns,
    Scaled,
    ValuesOrder,
)
from onebit.streams.reading.table_header import Header, make_header
from onebit.streams.reading.table_pieces import survey_table
from onebit.streams.reading.tabular import Record
from onebit.streams.tables.fields import text_of


@file_format(".parquet", ".pq", ".arrow", ".feather")
class Parquet(NamedTuple):
    """A Parquet or Arrow file: one column is the label, what the others are is found out.

    A list of labels says that all of them are right, a map from labels to numbers how relevant
    each is.
    """

    LISTS = True  # type: ignore[misc]

    label: LabelColumn = "last"
    kinds: Kinds = AUTO
    numbers: NumberColumns = AUTO
    categories: CategoryColumns = AUTO
    values: ValuesOrder = "sorted"
    hashed: HashedWidth = HASHED_WIDTH
    scale: Scaled = "yes"

    def layout(self, repeatable: bool) -> None:
        """The layout is found in a first pass."""
        if not repeatable:
            raise BadFile("onebit: a Parquet file must lie on the disk, got a pipe.")

    def survey(self, reading: Reading, on_batch: Callable[[Batch], object]) -> Layout:
        """Find out what each column is."""
        who = f"onebit: {reading.source.name}"
        with open_arrow(reading.source) as (schema, parts):
            header = self._header(reading, schema)
            if not is_compiled(reading):
                records = _records(parts, reading.bad_lines, header.label)
                return tabular.survey(who, header, records, on_batch)
        return survey_table(who, header, arrow_table(header), reading, on_batch)

    def table(self, reading: Reading) -> Iterator[Record]:
        """Return the records as text, with their numbers."""
        with open_arrow(reading.source) as (schema, parts):
            label = self._header(reading, schema).label
            yield from _records(parts, reading.bad_lines, label)

    def batches(self, reading: Reading, layout: Layout) -> Iterator[Batch]:
        """Read the rows."""
        reading.bad_lines.unit = "row"
        encoder = layout.encoder
        assert encoder is not None
        with open_arrow(reading.source) as (schema, parts):
            header = self._header(reading, schema)
            if not is_compiled(reading):
                records = _records(parts, reading.bad_lines, header.label)
                yield from tabular.batches(header, records, encoder, reading.bad_lines)
                return
        yield from arrow_batches(header, encoder, reading)

    def _header(self, reading: Reading, schema: Any) -> Header:
        """Return the header."""
        import pyarrow.types as kinds

        reading.bad_lines.unit = "row"
        who = f"onebit: {reading.source.name}"
        header = make_header(who, list(schema.names), self)
        for place, field in enumerate(schema):
            several = place == header.label and not kinds.is_struct(field.type)
            if kinds.is_nested(field.type) and not several:
                must = f"column {field.name} must hold single values"
                raise BadFile(f"{who}: {must}, got {field.type}.")
        return header


def _records(parts: Iterator[Any], bad_lines: BadLines, label: int) -> Iterator[Record]:
    """Return every row as fields of text, with its number; text must be UTF-8 without NUL."""
    number = 0
    for part in parts:
        columns = [_texts(column) for column in part.columns]
        for n, value in enumerate(columns[label]):
            if not isinstance(value, str):  # a list of labels
                columns[label][n] = labels_text(value) or ""
        for fields in zip(*columns, strict=True):
            number += 1
            text = "".join(fields)
            if "\0" in text or not _is_unicode(text):
                bad_lines.reject(number, VALID_TEXT, show_invalid(text))
            else:
                yield number, fields


def _texts(column: Any) -> list[Any]:
    """Return the values of a column as text; bytes that are not UTF-8 become surrogates.

    Those of a column of several labels are lists, or dicts.
    """
    import pyarrow
    import pyarrow.types as kinds

    kind = column.type
    if kinds.is_dictionary(kind):
        column.validate(full=True)
        column, kind = column.dictionary_decode(), kind.value_type
    is_text = kinds.is_string(kind) or kinds.is_large_string(kind)
    if is_text:
        column = column.view(pyarrow.binary() if kinds.is_string(kind) else pyarrow.large_binary())
    column.validate(full=True)  # in a damaged file, offsets may point anywhere
    if kinds.is_map(kind):
        return [value and dict(value) for value in column.to_pylist()]
    if kinds.is_nested(kind):
        return column.to_pylist()  # type: ignore[no-any-return]
    if not is_text:
        return list(map(text_of, column.to_pylist()))
    return [
        "" if value is None else value.decode(errors="surrogateescape")
        for value in column.to_pylist()
    ]


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
