"""Parsing text formats line by line in compiled code, one chunk of the file after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from onebit.kernel.block import BLOCK
from onebit.kernel.rows import SparseRows
from onebit.kernel.verbs import entry, verb
from onebit.streams.reading.batch import Batch, Reading
from onebit.streams.reading.labels import Labels, LabelSpans
from onebit.streams.reading.numbers import Bytes
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
from onebit.streams.reading.scanning import mark_error, skip_blanks, skip_line

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


def batches(reading: Reading, rules: Any, explain: Explain) -> Iterator[Batch]:
    """Read a file with the body of `parse_line` for the type of `rules`."""
    line, buffer = 0, new_row_buffer(0, 0)
    cursor = buffer.cursor
    for chunk in reading.source.chunks():
        text = np.frombuffer(chunk, np.uint8)
        at = 0
        while at < len(chunk):
            if buffer.capacity < len(chunk):
                del buffer, cursor  # free the old one before the new one is allocated
                buffer = new_row_buffer(len(chunk) * 5 // 4, BLOCK)
            cursor = buffer.cursor
            cursor[:] = 0
            cursor[POSITION], cursor[LINE] = at, line
            parse(buffer, text, rules)
            while cursor[ERROR]:
                start = cursor[ERROR_START]
                token = chunk[start : min(cursor[ERROR_STOP], start + 80)]
                if not reading.bad_lines.skip and cursor[ROWS]:
                    yield _batch(buffer, chunk)  # an error in the rows before comes first
                must = explain(int(cursor[ERROR]))
                reading.bad_lines.reject(int(cursor[LINE]), must, _printable(token))
                cursor[ERROR] = 0
                parse(buffer, text, rules)
            at, line = int(cursor[POSITION]), int(cursor[LINE])
            reading.bad_lines.unused_weights += int(cursor[WEIGHTS])
            if cursor[ROWS]:
                yield _batch(buffer, chunk)


def prepare(rules: Any) -> None:
    """Compile the parser for rules of this type, and the lookup of labels."""
    parse(new_row_buffer(1, 1), np.frombuffer(b"\n", np.uint8), rules)
    Labels(["a"]).numbers(LabelSpans(b"a\n", np.array([0], np.int64), np.array([1], np.int64)))


def _batch(buffer: RowBuffer, chunk: bytes) -> Batch:
    read_deferred(buffer, chunk)
    rows, entries = int(buffer.cursor[ROWS]), int(buffer.cursor[ENTRIES])
    found = SparseRows(  # copies: the buffer is used again
        buffer.starts[: rows + 1].copy(),
        buffer.indices[:entries].copy(),
        buffer.values[:entries].copy(),
    )
    spans = LabelSpans(chunk, buffer.label_starts[:rows], buffer.label_stops[:rows])
    return Batch(found, spans, buffer.lines[:rows])


def _printable(token: bytes) -> str:
    """Return bytes as text for a message."""
    return token.decode(errors="backslashreplace").replace("\0", "\\0").strip("\r\n")
