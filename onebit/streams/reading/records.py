"""Pieces of a table split into fields by compiled code, side by side, and put in order.

A record may go on in the next piece, if quotes are open at the end of one: then the next is split
once more, after what was left. What compiled code does not read, bytes that are no text among
them, is read in Python.
"""

from __future__ import annotations

import csv
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from onebit.kernel.rows import Floats, Ints
from onebit.streams.reading.bad_lines import BadLines, notify_once
from onebit.streams.reading.field_spans import (
    ENDED,
    FIELDS,
    LINE,
    ODD,
    OPEN,
    OTHER_WIDTH,
    POSITION,
    RECORDS,
    Dialect,
    SpanBuffer,
    new_span_buffer,
    split_documents,
    split_records,
)
from onebit.streams.reading.lines import LATIN_1, VALID_TEXT, all_escaped, is_invalid, show_invalid
from onebit.streams.reading.pieces import ReadPiece, pieces
from onebit.streams.reading.row_buffer import Int64s
from onebit.streams.reading.side_by_side import map_side_by_side
from onebit.streams.reading.source import Source, check_line_length

#: How to read what compiled code does not: lines in, and for each record its last line and its
#: fields, or None for those if it goes on after the last line given, or the error that it has.
Slow = Callable[[list[str], bool], Iterator[tuple[int, list[str] | Exception | None]]]


#: The `numbers` of records whose fields are all text.
NO_NUMBERS = np.empty((0, 0))


class Fault(NamedTuple):
    """A malformed record.

    Attributes
    ----------
    before : int
        How many good records are before it in the piece.
    line : int
        Its line, counted in the piece.
    must : str
        What a record must do, for the message.
    got : str
        What it has instead.
    is_width : bool
        Whether its number of fields is wrong.
    error : Exception or None
        What csv.reader raised for it, if that is the fault.
    """

    before: int
    line: int
    must: str
    got: str
    is_width: bool = False
    error: Exception | None = None


class Records(NamedTuple):
    """The records of a piece.

    Attributes
    ----------
    piece : bytes
        The piece as it was read.
    text : bytes
        What the spans are places in.
    spans : array of int32
        Where fields start and stop: two numbers each, field by field and record by record.
    lines : array of int64
        The line where each record ends, counted in the piece.
    faults : list of Fault
        The malformed records.
    size : int
        How many lines there are.
    tail : bytes
        The beginning of a record that goes on after the piece.
    suspect : bool
        Whether there are bytes that are no text.
    numbers : array of float64
        The fields of each column that are given as numbers; nan in place of a missing one.
    """

    piece: bytes
    text: bytes
    spans: Ints
    lines: Int64s
    faults: list[Fault]
    size: int
    tail: bytes
    suspect: bool
    numbers: Floats = NO_NUMBERS


class HasRecords(Protocol):
    """What is made of a piece."""

    @property
    def records(self) -> Records:
        """The records that it is made of."""


P = TypeVar("P", bound=HasRecords)


class Splitter:
    """Splits pieces of a file into records; what it is given may be called in any thread."""

    def __init__(
        self, dialect: Dialect, split: Callable[..., int], slow: Slow, must_width: str, shown: str
    ) -> None:
        self.dialect, self.compiled, self.slow = dialect, split, slow
        self.must_width, self.shown = must_width, shown  # what is between fields in a message
        self._local = threading.local()  # a buffer for each thread

    def split(self, piece: bytes, last: bool = False) -> Records:
        """Split a piece: some whole lines; the last one may end in the middle of a record."""
        suspect = b"\0" in piece or not is_utf8(piece)
        buffer = self._buffer(len(piece))
        text, faults = np.frombuffer(piece, np.uint8).copy(), list[Fault]()
        cursor, width = buffer.cursor, self.dialect.width
        cursor[:] = 0
        why = ODD if suspect else OTHER_WIDTH
        while why == OTHER_WIDTH:
            why = self.compiled(text, self.dialect, buffer)
            if why == OTHER_WIDTH:
                faults.append(self._width_fault(cursor[RECORDS], cursor[LINE], cursor[FIELDS]))
        rows, line, at = int(cursor[RECORDS]), int(cursor[LINE]), int(cursor[POSITION])
        spans, lines = buffer.spans[: 2 * width * rows].copy(), buffer.lines[:rows].copy()
        changed = self.dialect.quotes and b'"' in piece
        whole = text.tobytes() if changed else piece
        found = Records(piece, whole, spans, lines, faults, line, b"", suspect)
        if why == OPEN and not last:
            return found._replace(tail=piece[at:])
        return found if why == ENDED else self._continue_slowly(found, at, last)

    def _continue_slowly(self, found: Records, at: int, last: bool) -> Records:
        """Read the rest of a piece in Python; its fields are put after the text."""
        rest = found.piece[at:].decode(errors="surrogateescape").removesuffix("\n").split("\n")
        width, rows, size = self.dialect.width, len(found.lines), len(rest)
        more, places, lines = bytearray(), list[int](), list[int]()
        tail, faults = b"", found.faults
        for ended, fields in self.slow(rest, last):
            before, line = rows + len(lines), found.size + ended
            if fields is None:
                size = ended
                tail = "".join(f"{each}\n" for each in rest[ended:]).encode(
                    errors="surrogateescape"
                )
            elif isinstance(fields, Exception):
                faults.append(Fault(before, line, "", "", error=fields))
            elif found.suspect and is_invalid(joined := self.shown.join(fields)):
                faults.append(Fault(before, line, VALID_TEXT, show_invalid(joined)))
            elif len(fields) != width:
                faults.append(self._width_fault(before, line, len(fields)))
            else:
                lines.append(line)
                for field in fields:
                    places += [len(found.text) + len(more)]
                    more += field.encode()
                    places += [len(found.text) + len(more)]
                    more += b"\n"
        return found._replace(
            text=found.text + more, faults=faults, size=found.size + size, tail=tail,
            spans=np.concatenate([found.spans, np.array(places, np.int32)]),
            lines=np.concatenate([found.lines, np.array(lines, np.int64)]),
        )  # fmt: skip

    def _width_fault(self, before: int, line: int, fields: int) -> Fault:
        return Fault(int(before), int(line), self.must_width, f"{fields}", is_width=True)

    def _buffer(self, size: int) -> SpanBuffer:
        """Return this thread's buffer, a larger one if it is too small for so many bytes."""
        local = self._local
        if getattr(local, "buffer", None) is None or local.buffer.capacity < size:
            local.buffer = None  # free the old one before the new one is allocated
            local.buffer = new_span_buffer(size * 5 // 4, self.dialect.width)
        return local.buffer  # type: ignore[no-any-return]


def table_splitter(width: int, options: dict[str, Any]) -> Splitter:
    """Return what splits a table as csv.reader does with these options."""

    def slow(lines: list[str], last: bool) -> Iterator[tuple[int, list[str] | Exception | None]]:
        ended = False

        def feed() -> Iterator[str]:
            nonlocal ended
            for line in lines:
                yield line + "\n"
            ended = True

        reader = csv.reader(feed(), **options)
        while True:
            before = reader.line_num
            try:
                fields = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                yield reader.line_num, error
                continue
            if ended and not last:  # quotes are open
                yield before, None
                return
            if fields:
                yield reader.line_num, fields

    quotes = options.get("quoting") != csv.QUOTE_NONE
    dialect = Dialect(ord(options["delimiter"]), quotes, width, csv.field_size_limit())
    return Splitter(dialect, split_records, slow, f"have {width} fields", "")


def document_splitter(width: int) -> Splitter:
    """Return what splits lines of documents at their tabs."""

    def slow(lines: list[str], last: bool) -> Iterator[tuple[int, list[str]]]:
        for number, line in enumerate(lines, 1):
            if line and not line.isspace():
                yield number, line.removesuffix("\r").split("\t")

    must = f"have {max(width, 2)} fields with tabs between them"
    own = Dialect(9, False, width if width >= 2 else -1, 0)  # a label alone is no document
    return Splitter(own, split_documents, slow, must, "\t")


def in_order(source: Source, work: Callable[[bytes, bool], P], latin_1: bool) -> Iterator[P]:
    """Yield what `work` makes of each piece of a file; it is called by several threads.

    If `latin_1`, text that is not UTF-8 is read as Latin-1, as `Lines` does it.
    """

    def begin(read: ReadPiece) -> P | bytes:
        piece = read()
        return piece if latin_1 and not is_utf8(piece) else work(piece, False)

    tail, plain, encoding = b"", True, "utf-8"
    for found in map_side_by_side(begin, pieces(source)):
        piece = found if isinstance(found, bytes) else found.records.piece
        again, is_ascii = isinstance(found, bytes) or tail != b"", piece.isascii()
        if isinstance(found, bytes) and plain and encoding != LATIN_1 and all_escaped(piece):
            encoding = LATIN_1
            notify_once(f"{source.name}: read as Latin-1, since it is not UTF-8")
        plain = plain and is_ascii
        if encoding == LATIN_1 and not is_ascii:
            piece, again = piece.decode(LATIN_1).encode(), True
        made = work(tail + piece, False) if again or isinstance(found, bytes) else found
        tail = made.records.tail
        check_line_length(source.name, len(tail))
        yield made
    if tail:
        yield work(tail, True)


class Part(NamedTuple):
    """Some records of a piece: the first, the one after the last, and the lines before it."""

    made: Any
    first: int
    stop: int
    lines_before: int

    @property
    def rows(self) -> int:
        """How many records there are."""
        return self.stop - self.first


def groups(
    made: Iterator[Any], bad_lines: BadLines, size: int, skipped: int, seen: int
) -> Iterator[list[Part]]:
    """Yield records in groups of `size`; malformed ones are rejected before their group is.

    The first `skipped` records are left out. Up to line `seen` only a wrong number of fields is
    rejected: all else was before.
    """
    group, room, line, suspect = list[Part](), size, 0, False
    for each in made:
        records: Records = each.records
        suspect = suspect or records.suspect
        done = min(skipped, len(records.lines))
        skipped -= done
        for fault in (*records.faults, None):
            stop = len(records.lines) if fault is None else fault.before
            while done < stop:
                part = Part(each, done, min(stop, done + room), line)
                group.append(part)
                done, room = part.stop, room - part.rows
                if not room:
                    yield group
                    group, room = [], size
            if fault is not None and (fault.is_width or line + fault.line > seen):
                reject(bad_lines, line + fault.line, fault, suspect)
        line += records.size
    if group:
        yield group


def reject(bad_lines: BadLines, line: int, fault: Fault, suspect: bool) -> None:
    """Reject a malformed record."""
    if fault.error is None:
        bad_lines.reject(line, fault.must, fault.got)
    else:
        bad_lines.reject(line, *explain_error(fault.error, suspect))


def explain_error(error: Exception, suspect: bool) -> tuple[str, str]:
    """Return what a record must do that csv.reader refuses, and what it has."""
    if suspect:  # it is no text at all
        return VALID_TEXT, "other bytes"
    must = f"have fields of at most {csv.field_size_limit():,} characters"
    if "new-line" in str(error):
        must = "have a carriage return only before its newline or in quotes"
    return must, str(error).partition(" - ")[0]


def is_utf8(piece: bytes) -> bool:
    """Return whether bytes are UTF-8."""
    try:
        return piece.isascii() or bool(piece.decode())
    except UnicodeDecodeError:
        return False
