"""text: `label<TAB>text`, one document a line, turned into weighted words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.block import BLOCK
from onebit.kernel.features import HASHED_WIDTH, WIDEST
from onebit.kernel.rows import Sparse
from onebit.naming.params import OneOf, Whole
from onebit.streams.formats import file_format
from onebit.streams.reading import table_pieces
from onebit.streams.reading.batch import Batch, Layout, Reading
from onebit.streams.reading.delimited import is_compiled
from onebit.streams.reading.lines import VALID_TEXT, Lines, show_invalid
from onebit.streams.reading.records import document_splitter
from onebit.streams.reading.row_batcher import RowBatcher
from onebit.streams.reading.rules import NameOrNumber
from onebit.streams.reading.table_header import find_column
from onebit.streams.reading.table_pieces import Table
from onebit.streams.tables.words import text_entries


class _Opened(NamedTuple):
    """What compiled code needs to read a file, and the place of the text."""

    table: Table
    text: int


@file_format(".txt", ".text")
class Text(NamedTuple):
    """Documents: a label and a text with a tab between them, one a line.

    The text's words in lower case are hashed; a word that occurs n times weighs 1 + ln(n), and
    the row is scaled to norm 1.
    """

    label: Annotated[str, NameOrNumber(), "the label's column: its name, its number or first"] = (
        "first"
    )
    text: Annotated[str, NameOrNumber(), "the text's column: its name, its number or last"] = "last"
    header: Annotated[str, OneOf(("yes", "no")), "whether the first line is names"] = "no"
    features: Annotated[int, Whole(1, WIDEST), "how many columns words are hashed to"] = (
        HASHED_WIDTH
    )

    def layout(self, repeatable: bool) -> Layout:
        """Words are hashed: the layout is known without reading."""
        return Layout(self.features)

    def label_batches(self, reading: Reading, layout: Layout) -> Iterator[Batch]:
        """Read the labels of the rows alone."""
        if not is_compiled(reading):
            return self._read(reading, layout.features)
        found = self._open(reading)
        return iter(()) if found is None else table_pieces.label_batches(found.table, reading)

    def batches(self, reading: Reading, layout: Layout) -> Iterator[Batch]:
        """Read the rows."""
        if not is_compiled(reading):
            return self._read(reading, layout.features)
        found = self._open(reading)
        if found is None:
            return iter(())
        return table_pieces.document_batches(found.table, found.text, layout.features, reading)

    def prepare(self) -> None:
        """Compile the reader."""
        table_pieces.prepare()

    def _open(self, reading: Reading) -> _Opened | None:
        """Return what compiled code needs to read a file; None if there is no line to read."""
        for number, fields in _split_lines(reading):
            label, text = self._columns(reading, fields)
            splitter = document_splitter(len(fields))
            skipped = int(self.header == "yes")
            return _Opened(Table(splitter, label, skipped, number, False, BLOCK), text)
        return None

    def _columns(self, reading: Reading, first: list[str]) -> tuple[int, int]:
        """Return the places of the label and the text, given the fields of the first line."""
        who = f"onebit: {reading.source.name}"
        names = first if self.header == "yes" else [str(n + 1) for n in range(len(first))]
        return find_column(who, names, self.label), find_column(who, names, self.text)

    def _read(self, reading: Reading, features: int) -> Iterator[Batch]:
        """Read the rows in Python."""
        batcher = RowBatcher()
        width, label, text = 0, 0, 0
        for number, fields in _split_lines(reading):
            if not width:
                width = len(fields)
                label, text = self._columns(reading, fields)
                if self.header == "yes":
                    continue
            if len(fields) != width or width < 2:
                must = f"have {max(width, 2)} fields with tabs between them"
                reading.bad_lines.reject(number, must, f"{len(fields)}")
            elif batcher.add(document_row(fields[text], features), fields[label], number):
                yield batcher.take_batch()
        if batcher.lines:
            yield batcher.take_batch()


def _split_lines(reading: Reading) -> Iterator[tuple[int, list[str]]]:
    """Return the fields of every line that is not blank, with its number."""
    lines = Lines(reading.source)
    for number, line in lines.numbered():
        if lines.is_invalid(line):
            reading.bad_lines.reject(number, VALID_TEXT, show_invalid(line))
        else:
            yield number, line.split("\t")


def document_row(text: str, width: int) -> Sparse:
    """Return the row of a text."""
    places, values = text_entries(text, width)
    return Sparse(np.array(places, np.int32), np.array(values, np.float64))
