"""Parsing text formats line by line in compiled code, pieces of the file side by side."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from onebit.kernel.block import BLOCK
from onebit.kernel.rows import SparseRows
from onebit.kernel.verbs import entry, verb
from onebit.streams.reading.batch import Batch, Reading
from onebit.streams.reading.labels import Labels, LabelSpans
from onebit.streams.reading.numbers import Bytes
from onebit.streams.reading.pieces import pieces
from onebit.streams.reading.row_buffer import (
    DEFERRED_COUNT,
    ENTRIES,
    ERROR,
    ERROR_START,
    ERROR_STOP,
    LINE,
    POSITION,
    ROWS,
    WEIGHTS,
    RowBuffer,
    new_row_buffer,
    read_deferred,
)
from onebit.streams.reading.row_cleanup import normalize_rows
from onebit.streams.reading.scanning import mark_error, skip_blanks, skip_line
from onebit.streams.reading.side_by_side import map_side_by_side

#: Returns what a line must do, given the number of the error, to follow "must" in a message.
Explain = Callable[[int], str]

#: The error number for a line that has no row and no error.
BLANK = -1


@verb
def parse_line(
    rules: Any, buffer: RowBuffer, text: Bytes, at: int, row: int, end: int, deferred: int
) -> Any:
    """Parse the line at text[at:], which is not empty, into row number `row` of the buffer.

    `end` is the first free entry, `deferred` the count of deferred numbers. Returns the position
    where parsing stopped, the new `end` and `deferred`, and an error number: 0 for none, BLANK,
    or a positive one.
    """


@entry
def parse(buffer: RowBuffer, text: Bytes, rules: Any) -> None:
    """Parse lines into the buffer until it is full, the text ends, or a line is malformed."""
    cursor = buffer.cursor
    at, row, end, deferred = cursor[POSITION], cursor[ROWS], cursor[ENTRIES], cursor[DEFERRED_COUNT]
    while at < text.shape[0] and row < buffer.lines.shape[0]:
        cursor[LINE] += 1
        weights = cursor[WEIGHTS]
        at = skip_blanks(text, at)
        if text[at] == 10:
            at += 1
            continue
        at, new_end, new_deferred, error = parse_line(rules, buffer, text, at, row, end, deferred)
        if error > 0:
            cursor[WEIGHTS] = weights
            mark_error(buffer, text, error, at)
            at = skip_line(text, at)
            break
        at = skip_line(text, at)
        if error == 0:
            end, deferred = new_end, new_deferred
            buffer.lines[row] = cursor[LINE]
            row += 1
            buffer.starts[row] = end
    cursor[POSITION], cursor[ROWS], cursor[ENTRIES], cursor[DEFERRED_COUNT] = at, row, end, deferred


class Fault(NamedTuple):
    """A malformed line of a piece: its number there, what it must do, and what it has."""

    line: int
    must: str
    got: str


class Piece(NamedTuple):
    """The batches and malformed lines of a piece in the order in which they count, and its sizes.

    Lines are numbered from the start of the piece.
    """

    found: list[Batch | Fault]
    lines: int
    unused_weights: int


class PieceParser:
    """Parses pieces of a file; one that must not have malformed lines ends at the first of them."""

    def __init__(self, rules: Any, explain: Explain, skip: bool) -> None:
        self.rules, self.explain, self.skip = rules, explain, skip
        self._local = threading.local()  # a buffer for each thread

    def parse(self, chunk: bytes) -> Piece:
        """Parse a piece: some whole lines."""
        buffer, text = self._buffer(len(chunk)), np.frombuffer(chunk, np.uint8)
        cursor = buffer.cursor
        found: list[Batch | Fault] = []
        at = line = weights = 0
        while at < len(chunk):
            cursor[:] = 0
            cursor[POSITION], cursor[LINE] = at, line
            parse(buffer, text, self.rules)
            while cursor[ERROR]:
                fault = self._fault(buffer, chunk)
                if not self.skip:  # an error in the rows before comes first
                    return Piece([*_batches(buffer, chunk), fault], 0, 0)
                found.append(fault)
                cursor[ERROR] = 0
                parse(buffer, text, self.rules)
            at, line = int(cursor[POSITION]), int(cursor[LINE])
            weights += int(cursor[WEIGHTS])
            found += _batches(buffer, chunk)
        return Piece(found, line, weights)

    def _buffer(self, size: int) -> RowBuffer:
        """Return this thread's buffer, a larger one if it is too small for so many bytes."""
        local = self._local
        if getattr(local, "buffer", None) is None or local.buffer.capacity < size:
            local.buffer = None  # free the old one before the new one is allocated
            local.buffer = new_row_buffer(size * 5 // 4, BLOCK)
        return local.buffer  # type: ignore[no-any-return]

    def _fault(self, buffer: RowBuffer, chunk: bytes) -> Fault:
        cursor = buffer.cursor
        start = cursor[ERROR_START]
        token = chunk[start : min(cursor[ERROR_STOP], start + 80)]
        return Fault(int(cursor[LINE]), self.explain(int(cursor[ERROR])), _printable(token))


def batches(reading: Reading, rules: Any, explain: Explain) -> Iterator[Batch]:
    """Read a file with the body of `parse_line` for the type of `rules`."""
    parser = PieceParser(rules, explain, reading.bad_lines.skip)
    # what can be read only once may come slowly: its rows are not to wait for more pieces
    spread = map_side_by_side if reading.source.repeatable else map
    line = 0
    for piece in spread(lambda read: parser.parse(read()), pieces(reading.source)):
        reading.bad_lines.unused_weights += piece.unused_weights
        for each in piece.found:
            if isinstance(each, Fault):
                reading.bad_lines.reject(line + each.line, each.must, each.got)
            else:
                each.lines[:] += line
                yield each
        line += piece.lines


def prepare(rules: Any) -> None:
    """Compile the parser for rules of this type, and the lookup of labels."""
    parse(new_row_buffer(1, 1), np.frombuffer(b"\n", np.uint8), rules)
    Labels(["a"]).numbers(LabelSpans(b"a\n", np.array([0], np.int64), np.array([1], np.int64)))


def _batches(buffer: RowBuffer, chunk: bytes) -> list[Batch]:
    """Return the batch of the rows in the buffer, in arrays of its own; none without rows."""
    rows, entries = int(buffer.cursor[ROWS]), int(buffer.cursor[ENTRIES])
    if not rows:
        return []
    read_deferred(buffer, chunk)
    parsed = SparseRows(
        buffer.starts[: rows + 1], buffer.indices[:entries], buffer.values[:entries]
    )
    found, valid, span = normalize_rows(parsed)
    labels = LabelSpans(chunk, buffer.label_starts[:rows].copy(), buffer.label_stops[:rows].copy())
    return [Batch(found, labels, buffer.lines[:rows].copy(), valid, span)]


def _printable(token: bytes) -> str:
    """Return bytes as text for a message."""
    return token.decode(errors="backslashreplace").replace("\0", "\\0").strip("\r\n")
