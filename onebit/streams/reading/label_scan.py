"""Finding the labels of a file by looking at the labels alone, at the speed of memory."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from onebit.errors import BadFile
from onebit.kernel.verbs import entry, kernel, verb
from onebit.streams.reading.label_sets import Marks
from onebit.streams.reading.labels import Labels, LabelSpans
from onebit.streams.reading.numbers import Bytes
from onebit.streams.reading.pieces import ReadPiece, pieces
from onebit.streams.reading.row_buffer import Int64s
from onebit.streams.reading.scanning import skip_blanks
from onebit.streams.reading.side_by_side import map_side_by_side
from onebit.streams.reading.source import Source

#: Bytes looked at together for the end of a line.
_STEP = 64


@verb
def end_of_label(rules: Any, text: Bytes, at: int) -> Any:
    """Return where the label of the line at text[at:], which is not empty, ends.

    Beside it: 0, BLANK (of `line_parser`) if the line has no row, or a positive error number.
    """


@kernel
def skip_long_line(text: Bytes, at: int) -> int:
    """Return the position after the next newline, quickly if that is far away."""
    while at + _STEP <= text.shape[0]:
        part, newlines = text[at : at + _STEP], 0
        for n in range(_STEP):  # one condition and no exit, so that it is vectorized
            newlines += part[n] == 10
        if newlines > 0:
            break
        at += _STEP
    while text[at] != 10:
        at += 1
    return at + 1


@entry
def find_labels(text: Bytes, rules: Any, starts: Int64s, stops: Int64s) -> int:
    """Find the label of each row of a text; return how many rows, -1 if a line has no label."""
    at, row = 0, 0
    while at < text.shape[0]:
        at = skip_blanks(text, at)
        if text[at] != 10:
            stop, error = end_of_label(rules, text, at)
            if error > 0:
                return -1
            if error == 0:
                starts[row], stops[row] = at, stop
                row += 1
            at = stop
        at = skip_long_line(text, at)
    return row


def scan_labels(source: Source, rules: Any, labels: Labels, marks: Marks) -> int | None:
    """Add the labels of a file to `labels` and return how many rows it has.

    None if a label is malformed or the file cannot be read: a first pass over the whole lines then
    finds the first error in the order of the file.
    """
    local = threading.local()  # a buffer for each thread

    def find(read: ReadPiece) -> LabelSpans | None:
        chunk = read()
        most = len(chunk) // 2 + 1  # rows
        if getattr(local, "starts", np.empty(0)).size < most:
            local.starts, local.stops = np.empty(most, np.int64), np.empty(most, np.int64)
        rows = find_labels(np.frombuffer(chunk, np.uint8), rules, local.starts, local.stops)
        if rows < 0:
            return None
        return LabelSpans(chunk, local.starts[:rows].copy(), local.stops[:rows].copy())

    rows = 0
    try:
        for spans in map_side_by_side(find, pieces(source)):
            if spans is None or not labels.truths(spans, marks)[1].all():
                return None
            rows += len(spans.starts)
    except BadFile:
        return None
    return rows
