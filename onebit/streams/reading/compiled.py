"""Reading text piece by piece with a compiled reader, one sheet after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from onebit.kernel.block import BLOCK
from onebit.kernel.rows import SparseRows
from onebit.kernel.verbs import entry, no_refcount, verb
from onebit.streams.reading.batch import Batch, Reading
from onebit.streams.reading.labels import Labels, Spans
from onebit.streams.reading.line_bytes import after_gap, after_line, complain
from onebit.streams.reading.numbers import Bytes
from onebit.streams.reading.row_buffer import (
    AT,
    ENTRIES,
    FROM,
    HARDS,
    LINE,
    ROWS,
    TO,
    WEIGHTS,
    WRONG,
    Sheet,
    new_sheet,
    read_hards,
)

#: What `explain(code, rules)` returns: what a line must do, to stand behind "must".
Explain = Callable[[int], str]


#: What `parse_line` returns for a line that is no row, and is not wrong.
BLANK = -1


@no_refcount
@verb
def parse_line(
    rules: Any, sheet: Sheet, text: Bytes, at: int, row: int, end: int, hards: int
) -> Any:
    """Parse the line of text[at:], which is not empty, into row number `row` of the sheet.

    The next free entry is `end`, the next deferred number `hards`. Returns where it stopped,
    the new `end` and `hards`, and what is wrong there: 0 if nothing, BLANK, or a number above 0.
    """


@entry
def parse(sheet: Sheet, text: Bytes, rules: Any) -> None:
    """Parse lines into the sheet until it is full, the text ends, or a line is bad."""
    place = sheet.place
    at, row, end, hards = place[AT], place[ROWS], place[ENTRIES], place[HARDS]
    while at < text.shape[0] and row < sheet.lines.shape[0]:
        place[LINE] += 1
        weights = place[WEIGHTS]
        at = after_gap(text, at)
        if text[at] == 10:
            at += 1
            continue
        at, new_end, new_hards, wrong = parse_line(rules, sheet, text, at, row, end, hards)
        if wrong > 0:
            place[WEIGHTS] = weights
            complain(sheet, text, wrong, at)
            at = after_line(text, at)
            break
        at = after_line(text, at)
        if wrong == 0:
            end, hards = new_end, new_hards
            sheet.lines[row] = place[LINE]
            row += 1
            sheet.starts[row] = end
    place[AT], place[ROWS], place[ENTRIES], place[HARDS] = at, row, end, hards


def batches(reading: Reading, rules: Any, explain: Explain) -> Iterator[Batch]:
    """Read a file with the `parse_line` of the type of `rules`, one sheet after another."""
    line, sheet = 0, new_sheet(0, 0)
    place = sheet.place
    for piece in reading.source.pieces():
        text = np.frombuffer(piece, np.uint8)
        at = 0
        while at < len(piece):
            if sheet.size < len(piece):
                del sheet, place  # never two at a time
                sheet = new_sheet(len(piece) * 5 // 4, BLOCK)
            place = sheet.place
            place[:] = 0
            place[AT], place[LINE] = at, line
            parse(sheet, text, rules)
            while place[WRONG]:
                came = piece[place[FROM] : min(place[TO], place[FROM] + 80)]
                if not reading.bad.skip and place[ROWS]:
                    yield _batch(sheet, piece)  # what is wrong in the lines before comes first
                reading.bad.line(int(place[LINE]), explain(int(place[WRONG])), _text(came))
                place[WRONG] = 0
                parse(sheet, text, rules)
            at, line = int(place[AT]), int(place[LINE])
            reading.bad.weights += int(place[WEIGHTS])
            if place[ROWS]:
                yield _batch(sheet, piece)


def prepare(rules: Any) -> None:
    """Compile the reader of these rules, and the search for labels."""
    parse(new_sheet(1, 1), np.frombuffer(b"\n", np.uint8), rules)
    Labels(["a"]).numbers(Spans(b"a\n", np.array([0], np.int64), np.array([1], np.int64)))


def _batch(sheet: Sheet, piece: bytes) -> Batch:
    read_hards(sheet, piece)
    rows, entries = int(sheet.place[ROWS]), int(sheet.place[ENTRIES])
    found = SparseRows(  # copies: the sheet is used again
        sheet.starts[: rows + 1].copy(),
        sheet.indices[:entries].copy(),
        sheet.values[:entries].copy(),
    )
    spans = Spans(piece, sheet.labels_from[:rows], sheet.labels_to[:rows])
    return Batch(found, spans, sheet.lines[:rows])


def _text(came: bytes) -> str:
    """Return bytes as they should stand in a sentence."""
    return came.decode(errors="backslashreplace").replace("\0", "\\0").strip("\r\n")
