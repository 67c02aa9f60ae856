"""Rows of JSON objects: pieces of the file are scanned side by side, unusual lines read by Python.

What is malformed, and in which order, is as if all lines were read by Python: rows wait until as
many are there as make a batch, and only then the next step looks at their labels.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from onebit.errors import BadInput
from onebit.kernel.block import BLOCK
from onebit.kernel.features import FEWEST_HASHED, read_row
from onebit.kernel.rows import Row, SparseRows
from onebit.naming.params import short_repr
from onebit.streams.reading import row_batcher
from onebit.streams.reading.bad_lines import BadLines
from onebit.streams.reading.batch import Batch, Reading
from onebit.streams.reading.json_scanner import ObjectRules, object_rules
from onebit.streams.reading.label_sets import labels_text
from onebit.streams.reading.labels import LabelSpans
from onebit.streams.reading.line_parser import parse
from onebit.streams.reading.lines import VALID_TEXT, Lines, is_invalid, show_invalid
from onebit.streams.reading.pieces import pieces
from onebit.streams.reading.records import is_utf8
from onebit.streams.reading.row_batcher import RowBatcher
from onebit.streams.reading.row_buffer import (
    ENTRIES,
    ERROR,
    LINE,
    POSITION,
    ROWS,
    Int64s,
    RowBuffer,
    new_row_buffer,
)
from onebit.streams.reading.row_cleanup import normalize_rows
from onebit.streams.reading.side_by_side import map_side_by_side

#: A piece with more unusual lines, if they are also so large a share, is left to Python from there.
_MOST_UNUSUAL, _UNUSUAL_SHARE = 50, 0.1


#: What a line must do, to follow "must" in a message.
NO_OBJECT = "be a JSON object"


class Lot(NamedTuple):
    """Some lines of a piece: its bytes from start to stop, after `before` lines of it.

    The rows are there if the lines were scanned; `entries` says where those of each row ended
    before zeros were left out.
    """

    piece: bytes
    start: int
    stop: int
    before: int
    rows: Batch | None = None
    entries: Int64s = np.empty(0, np.int64)


class ObjectScanner:
    """Scans pieces of a file; it may be used by several threads, each with arrays of its own."""

    def __init__(self, label: str, features: int) -> None:
        self.label, self.features = label, features
        self._local = threading.local()

    def scan(self, piece: bytes) -> tuple[list[Lot], int]:
        """Return the lines of a piece, scanned or not, in order, and how many there are."""
        if self.label == "x" or self.features < FEWEST_HASHED or not is_utf8(piece):
            return [Lot(piece, 0, len(piece), 0)], piece.count(b"\n")
        buffer, rules = self._arrays(len(piece))
        text, cursor = np.frombuffer(piece, np.uint8), buffer.cursor
        found: list[Lot] = []
        at = line = unusual = 0
        while at < len(piece):
            cursor[:] = 0
            cursor[POSITION], cursor[LINE] = at, line
            parse(buffer, text, rules)
            stop, last, is_unusual = int(cursor[POSITION]), int(cursor[LINE]), bool(cursor[ERROR])
            end = piece.rfind(b"\n", 0, stop - 1) + 1 if is_unusual else stop
            if cursor[ROWS]:
                found.append(_scanned(buffer, Lot(piece, at, end, line)))
            unusual += is_unusual
            if unusual > max(_MOST_UNUSUAL, _UNUSUAL_SHARE * last):
                stop, last = len(piece), last + piece.count(b"\n", stop)
            if is_unusual:
                found.append(Lot(piece, end, stop, int(cursor[LINE]) - 1))
            at, line = stop, last
        return found, line

    def _arrays(self, size: int) -> tuple[RowBuffer, ObjectRules]:
        """Return this thread's arrays, larger ones if they are too small for so many bytes."""
        local = self._local
        if not hasattr(local, "rules"):
            local.rules, local.buffer = object_rules(self.label, self.features), None
        if local.buffer is None or local.buffer.capacity < size:
            local.buffer = None  # free the old one before the new one is allocated
            local.buffer = new_row_buffer(size * 5 // 4, BLOCK)
        return local.buffer, local.rules


def _scanned(buffer: RowBuffer, lot: Lot) -> Lot:
    """Return a lot with the rows in the buffer, in arrays of its own."""
    count, end = int(buffer.cursor[ROWS]), int(buffer.cursor[ENTRIES])
    entries = buffer.starts[: count + 1].copy()
    rows, valid, _ = normalize_rows(
        SparseRows(buffer.starts[: count + 1], buffer.indices[:end], buffer.values[:end])
    )
    starts, stops = buffer.label_starts[:count].copy(), buffer.label_stops[:count].copy()
    labels = LabelSpans(lot.piece, starts, stops)
    batch = Batch(rows, labels, buffer.lines[:count].copy(), valid)
    return lot._replace(rows=batch, entries=entries)


def batches(reading: Reading, label: str, features: int) -> Iterator[Batch]:
    """Read the rows of a file of objects with an "x" and a label."""
    scanner, group = ObjectScanner(label, features), _Group()
    rows, bad_lines = JsonRows(features, reading.bad_lines), reading.bad_lines
    # what can be read only once may come slowly: its rows are not to wait for more pieces
    spread = map_side_by_side if reading.source.repeatable else map
    before = 0
    for lots, size in spread(lambda read: scanner.scan(read()), pieces(reading.source)):
        for lot in lots:
            if lot.rows is not None and rows.kind is not list:
                rows.kind = dict
                lot.rows.lines[:] += before
                yield from group.add(lot.rows, lot.entries)
                continue
            for number, item in _objects(lot, before, bad_lines):
                row, text = rows.read(item, number), labels_text(item.get(label))
                if text is None:
                    must = f"have a string, a number, a list of them or their degrees {label!r}"
                    bad_lines.reject(number, must, short_repr(item.get(label)))
                elif row is not None:
                    yield from group.add_row(row, text, number)
        before += size
    yield from group.take()


def prepare(label: str) -> None:
    """Compile the scanner."""
    ObjectScanner(label, FEWEST_HASHED).scan(b"\n")
    normalize_rows(SparseRows(np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0)))


class _Group:
    """Batches that wait until they have as many rows or entries as Python would read at a time."""

    def __init__(self) -> None:
        self._waiting: list[Batch] = []
        self._single = RowBatcher()
        self._rows = self._entries = 0

    def add_row(self, row: Row, label: str, line: int) -> Iterator[Batch]:
        """Add a row; yield the batches if that is enough."""
        self._single.add(row, label, line)
        self._rows += 1
        self._entries += len(row.values) if len(row) == 2 else int(np.count_nonzero(row.values))
        if self._is_full:
            yield from self.take()

    def add(self, batch: Batch, entries: Int64s) -> Iterator[Batch]:
        """Add rows; yield the batches whenever there are enough."""
        first, count = 0, len(batch.lines)
        while first < count:
            self._close_single()
            room = BLOCK - self._rows
            wanted = entries[first] + row_batcher.BATCH_ENTRIES - self._entries
            full = int(np.searchsorted(entries, wanted))  # that many rows are enough
            stop = min(count, first + room, max(full, first + 1))
            self._waiting.append(_part(batch, first, stop))
            self._rows += stop - first
            self._entries += int(entries[stop] - entries[first])
            first = stop
            if self._is_full:
                yield from self.take()

    def take(self) -> Iterator[Batch]:
        """Yield all that waits."""
        self._close_single()
        waiting, self._waiting = self._waiting, []
        self._rows = self._entries = 0
        yield from waiting

    @property
    def _is_full(self) -> bool:
        return self._rows >= BLOCK or self._entries >= row_batcher.BATCH_ENTRIES

    def _close_single(self) -> None:
        if self._single.lines:
            self._waiting.append(self._single.take_batch())


def _part(batch: Batch, first: int, stop: int) -> Batch:
    """Return some rows of a batch."""
    if stop - first == len(batch.lines):
        return batch
    (starts, indices, values), labels, each = batch.rows, batch.labels, slice(first, stop)
    assert isinstance(labels, LabelSpans)
    assert batch.valid is not None
    inside = slice(starts[first], starts[stop])
    rows = SparseRows(starts[first : stop + 1] - starts[first], indices[inside], values[inside])
    spans = LabelSpans(labels.chunk, labels.starts[each], labels.stops[each])
    return Batch(rows, spans, batch.lines[each], batch.valid[each])


def _objects(lot: Lot, before: int, bad_lines: BadLines) -> Iterator[tuple[int, dict[str, Any]]]:
    """Return the objects in some lines, read by Python, with the numbers of their lines."""
    text = lot.piece[lot.start : lot.stop].decode(errors="surrogateescape")
    first = before + lot.before + 1
    for number, line in enumerate(text.removesuffix("\n").split("\n"), first):
        if line and not line.isspace():
            item = object_of(number, line.removesuffix("\r"), is_invalid(line), bad_lines)
            if item is not None:
                yield number, item


def read_objects(reading: Reading) -> Iterator[tuple[int, dict[str, Any]]]:
    """Return every line that is a JSON object, with its number."""
    lines = Lines(reading.source)
    for number, line in lines.numbered():
        item = object_of(number, line, lines.is_invalid(line), reading.bad_lines)
        if item is not None:
            yield number, item


def object_of(number: int, line: str, invalid: bool, bad_lines: BadLines) -> dict[str, Any] | None:
    """Return the object in a line; None if the line is malformed."""
    if invalid:
        bad_lines.reject(number, VALID_TEXT, show_invalid(line))
        return None
    item = parse_object(line)
    if item is None:
        bad_lines.reject(number, NO_OBJECT, line[:80])
    return item


def parse_object(line: str) -> dict[str, Any] | None:
    """Return the object that a line is; None if it is none."""
    try:
        item = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return item if isinstance(item, dict) else None


class JsonRows:
    """Reads the rows "x" of objects, which must be all objects or all lists, as the first one."""

    def __init__(self, width: int, bad_lines: BadLines) -> None:
        self.width, self.bad_lines = width, bad_lines
        self.kind: Any = None  # dict or list, as the first row

    def read(self, item: dict[str, Any], line: int) -> Row | None:
        """Return the row of an object; None if it is malformed."""
        x = item.get("x")
        if not isinstance(x, self.kind or dict | list):
            kind = "an object or a list"
            if self.kind is not None:
                kind = "an object" if self.kind is dict else "a list"
            before = ", as the rows before it" if self.kind else ""
            self.bad_lines.reject(line, f'have {kind} "x" for its row{before}', short_repr(x))
            return None
        try:
            row = read_row(x, self.width)
        except BadInput as error:
            why = str(error).removeprefix("Agent: ").removesuffix(".")
            self.bad_lines.reject(line, f'have a row "x" that can be played: {why}', short_repr(x))
            return None
        self.kind = dict if isinstance(x, dict) else list
        return row
