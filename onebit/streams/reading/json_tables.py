"""Flat JSON objects, one a line, as the records of a table: where each field is in the text.

Compiled code reads strings without escapes, numbers, true, false and null. A line with anything
else is read by Python, and its fields are put after the text. So is a number that Python would
write in another way, such as 1e3, where its text matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from onebit.kernel.rows import Ints
from onebit.kernel.verbs import entry, kernel
from onebit.streams.reading.batch import Reading
from onebit.streams.reading.json_scanner import scalar_end, string_end, value_start
from onebit.streams.reading.lines import VALID_TEXT, is_invalid, show_invalid
from onebit.streams.reading.numbers import NO_NUMBER, Bytes, byte_at, is_digit, read_power
from onebit.streams.reading.pieces import ReadPiece, pieces
from onebit.streams.reading.records import Fault, Part, Records, groups, is_utf8
from onebit.streams.reading.row_buffer import Int64s
from onebit.streams.reading.row_cleanup import Flags
from onebit.streams.reading.scanning import skip_blanks
from onebit.streams.reading.side_by_side import map_side_by_side
from onebit.streams.reading.table_header import Header
from onebit.streams.reading.table_pieces import (
    Rows,
    Shape,
    Table,
    exact_columns,
    give_up_texts,
)
from onebit.streams.reading.tabular import group_size
from onebit.streams.tables.encoder import Encoder
from onebit.streams.tables.fields import text_of
from onebit.streams.tables.survey import ColumnSurvey

#: Fields of a piece that are in memory at a time.
_MOST_FIELDS = 1_000_000
#: Numbers with decimals of so few digits are written as Python does; those of more may not be.
_EXACT_DIGITS, _LONGEST_WHOLE = 15, 4000
#: Places in the cursor of `RecordSpans`: the next byte, how many lines and records were read.
POSITION, LINE, RECORDS = range(3)
#: How a number is written: as Python does; perhaps with other digits; otherwise; it is none.
_SAME, _LONG, _OTHER, _NONE = range(4)

#: Reads a line in Python: its fields, or what the line must do and what it has.
ReadLine = Callable[[str], list[str] | tuple[str, str]]


class Columns(NamedTuple):
    """The names of columns, name n being text[starts[n]:starts[n + 1]].

    `exact` says of each whether the text of its numbers matters, and not their value alone.
    """

    text: Bytes
    starts: Int64s
    exact: Flags


class RecordSpans(NamedTuple):
    """The lines of records, and where their fields start and stop, in turns."""

    cursor: Int64s
    lines: Int64s
    spans: Ints


class JsonSplitter:
    """Splits pieces of a file into records; it may be used by several threads."""

    def __init__(self, names: Sequence[str], exact: Sequence[bool], slow: ReadLine) -> None:
        encoded = [name.encode(errors="surrogatepass") for name in names]
        starts = np.cumsum([0, *map(len, encoded)])
        text = np.frombuffer(b"".join(encoded) + b"\n", np.uint8)
        self.columns = Columns(text, starts, np.array(exact, np.bool_))
        self.dialect, self.slow = Shape(len(names)), slow

    def split(self, piece: bytes, last: bool = False) -> Records:
        """Split a piece: some whole lines."""
        rows, width = piece.count(b"\n"), self.dialect.width
        buffer = RecordSpans(
            np.zeros(3, np.int64), np.empty(rows, np.int64), np.empty(2 * width * rows, np.int32)
        )
        rewritten = np.empty(width * rows + 1, np.int64)
        rewritten[0] = 0
        text, more, faults = np.frombuffer(piece, np.uint8), bytearray(), list[Fault]()
        cursor, suspect = buffer.cursor, not is_utf8(piece)
        while cursor[POSITION] < len(piece):
            if not suspect and split_objects(text, self.columns, buffer, rewritten):
                break
            self._read_line(piece, buffer, more, faults)
        rows = int(cursor[RECORDS])
        spans = buffer.spans[: 2 * width * rows]
        fields = rewritten[1 : 1 + rewritten[0]]
        for field, (start, stop) in zip(
            fields.tolist(), spans.reshape(-1, 2)[fields].tolist(), strict=True
        ):
            number = float(piece[start:stop])
            same = f"{number!r}".encode() == piece[start:stop]  # as nearly all are
            if not same or number.is_integer():
                spans[2 * field : 2 * field + 2] = _append(text_of(number), len(piece), more)
        whole = piece + more if more else piece
        size, lines = int(cursor[LINE]), buffer.lines[:rows]
        return Records(piece, whole, spans, lines, faults, size, b"", suspect)

    def _read_line(
        self, piece: bytes, buffer: RecordSpans, more: bytearray, faults: list[Fault]
    ) -> None:
        """Read the next line in Python; its fields are put after the piece."""
        cursor = buffer.cursor
        start, stop = int(cursor[POSITION]), piece.index(b"\n", cursor[POSITION])
        cursor[POSITION] = stop + 1
        cursor[LINE] += 1
        line = piece[start:stop].decode(errors="surrogateescape")
        if not line or line.isspace():
            return
        line, row = line.removesuffix("\r"), int(cursor[RECORDS])
        found = (VALID_TEXT, show_invalid(line)) if is_invalid(line) else self.slow(line)
        if isinstance(found, tuple):
            faults.append(Fault(row, int(cursor[LINE]), *found))
            return
        places = [place for field in found for place in _append(field, len(piece), more)]
        buffer.spans[row * len(places) : (row + 1) * len(places)] = places
        buffer.lines[row] = cursor[LINE]
        cursor[RECORDS] += 1


def _append(field: str, size: int, more: bytearray) -> tuple[int, int]:
    """Put a field after a text of `size` bytes and what is there already; return where it is."""
    start = size + len(more)
    more += field.encode(errors="surrogatepass")
    stop = size + len(more)
    more += b"\n"
    return start, stop


class JsonTable(Table):
    """What must be known to read the records of a table of JSON lines."""

    def groups(self, reading: Reading, work: Callable[[bytes, bool], Rows]) -> Iterator[list[Part]]:
        """Yield what `work` makes of the records, in groups."""
        most = max(1, _MOST_FIELDS // self.splitter.dialect.width)

        def begin(read: ReadPiece) -> Rows | bytes:
            piece = read()
            return piece if piece.count(b"\n") > most else work(piece, False)

        def made() -> Iterator[Rows]:
            for found in map_side_by_side(begin, pieces(reading.source)):
                if isinstance(found, bytes):  # records of few fields each
                    for part in _parts(found, most):
                        yield work(part, False)
                else:
                    yield found

        return groups(made(), reading.bad_lines, self.group, 0, 0)

    def note(self, surveys: Sequence[ColumnSurvey]) -> None:
        """Give up the texts of numbers in columns of too many values, once a sample is there."""
        give_up_texts(self.splitter.columns.exact, surveys)  # type: ignore[attr-defined]


def json_table(header: Header, encoder: Encoder | None, slow: ReadLine) -> JsonTable:
    """Return what reads the records of a table; with an encoder, as it needs them."""
    exact = exact_columns(header.label, len(header.names), encoder)
    splitter = JsonSplitter(header.names, exact, slow)
    return JsonTable(splitter, header.label, 0, 0, False, group_size(len(header.names)))  # type: ignore[arg-type]


def _parts(piece: bytes, most: int) -> Iterator[bytes]:
    """Yield the lines of a piece, so many at a time."""
    lines = piece.removesuffix(b"\n").split(b"\n")
    for first in range(0, len(lines), most):
        yield b"\n".join(lines[first : first + most]) + b"\n"


@entry
def split_objects(text: Bytes, columns: Columns, buffer: RecordSpans, rewritten: Int64s) -> bool:
    """Split text, from the cursor on, into records; return False at a line for Python.

    Fields that are to be written as Python does are noted after their number, rewritten[0].
    """
    cursor, size = buffer.cursor, columns.exact.shape[0]
    at, line, records = cursor[POSITION], cursor[LINE], cursor[RECORDS]
    ended = True
    while at < text.shape[0]:
        first = skip_blanks(text, at)
        if byte_at(text, first) != 10:
            noted = rewritten[0]
            first = read_record(text, first, columns, buffer, records * size, rewritten)
            if first < 0:
                rewritten[0] = noted
                ended = False
                break
            buffer.lines[records] = line + 1
            records += 1
        at, line = first + 1, line + 1
    cursor[POSITION], cursor[LINE], cursor[RECORDS] = at, line, records
    return ended


@kernel
def read_record(
    text: Bytes, at: int, columns: Columns, buffer: RecordSpans, field: int, rewritten: Int64s
) -> int:
    """Read the object at text[at:] into spans from that of a field on.

    Returns where its line ends, -1 if the line is unusual.
    """
    spans, size, place = buffer.spans, columns.exact.shape[0], -1
    for n in range(field, field + size):
        spans[2 * n] = -1
    c = 44 if byte_at(text, at) == 123 else 0
    while c == 44:
        at = skip_blanks(text, at + 1)
        start, stop = at + 1, string_end(text, at)
        at = value_start(text, stop)
        if at < 0:
            return -1
        place = find_column(columns, text, start, stop, place)
        if place < 0:
            at = scalar_end(text, at)
        else:
            n = field + place
            if spans[2 * n] >= 0:  # a name twice
                return -1
            at, begin, end, how = field_span(text, at)
            if how == _NONE or at < 0:
                return -1
            spans[2 * n], spans[2 * n + 1] = begin, end
            if how == _OTHER or (how == _LONG and columns.exact[place]):
                rewritten[0] += 1
                rewritten[rewritten[0]] = n
        if at < 0:
            return -1
        at = skip_blanks(text, at)
        c = byte_at(text, at)
    if c != 125:
        return -1
    for n in range(field, field + size):
        if spans[2 * n] < 0:
            spans[2 * n], spans[2 * n + 1] = 0, 0
    at = skip_blanks(text, at + 1)
    return at if byte_at(text, at) == 10 else -1


@kernel
def find_column(columns: Columns, text: Bytes, start: int, stop: int, before: int) -> int:
    """Return the place of the column text[start:stop], the one after `before` first; -1 if none."""
    size = columns.exact.shape[0]
    for n in range(size):
        place = before + 1 + n
        if place >= size:
            place -= size
        first = columns.starts[place]
        if columns.starts[place + 1] - first == stop - start:
            same = True
            for m in range(stop - start):
                if columns.text[first + m] != text[start + m]:
                    same = False
                    break
            if same:
                return place
    return -1


@kernel
def field_span(text: Bytes, at: int) -> tuple[int, int, int, int]:
    """Read the string, number or word at text[at:].

    Returns where it ends, -1 if it is unusual, where its text begins and stops, and how it is
    written.
    """
    c = byte_at(text, at)
    if c == 45 or is_digit(c):
        return number_span(text, at)  # type: ignore[no-any-return]
    end = scalar_end(text, at)
    if c == 34:
        return end, at + 1, end - 1, _SAME
    if c == 110:
        return end, 0, 0, _SAME
    return end, at, end, _SAME


@kernel
def number_span(text: Bytes, at: int) -> tuple[int, int, int, int]:
    """Read the number at text[at:] as `field_span` does; what Python leaves out is not in it."""
    start = at
    if byte_at(text, at) == 45:
        at += 1
    first = at
    while is_digit(byte_at(text, at)):
        at += 1
    whole, zero = at - first, byte_at(text, first) == 48
    if whole == 0 or (whole > 1 and zero) or whole > _LONGEST_WHOLE:
        return -1, 0, 0, _NONE
    stop = at
    if byte_at(text, at) == 46:
        at += 1
        point = at
        while is_digit(byte_at(text, at)):
            if byte_at(text, at) != 48:
                stop = at + 1
            at += 1
        if at == point:
            return -1, 0, 0, _NONE
    c = byte_at(text, at)
    if c == 101 or c == 69:
        at, _, kind = read_power(text, at + 1)
        return at if kind != NO_NUMBER else -1, start, at, _OTHER
    if stop == first + whole:  # no decimals, or only zeros
        with_point = at > stop
        if with_point and whole > _EXACT_DIGITS:
            return at, start, at, _OTHER
        return at, first if zero else start, stop, _SAME
    if whole > _EXACT_DIGITS:
        return at, start, at, _OTHER
    if zero:
        small = True
        for n in range(first + 2, min(first + 6, stop)):
            if byte_at(text, n) != 48:
                small = False
        if small:  # Python writes an exponent
            return at, start, at, _OTHER
    if stop - first - 1 > _EXACT_DIGITS:
        return at, start, at, _LONG
    return at, start, stop, _SAME
