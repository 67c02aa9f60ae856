"""Turning the fields of records into rows in compiled code, as `Encoder` does in Python.

Numbers, words and hashed values are read at once. All other fields are looked up in a memory of
what the encoder made of them before; new ones are looked up by the encoder, and put in afterwards.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from onebit.kernel.features import LARGEST
from onebit.kernel.rows import Floats, Ints, SparseRows
from onebit.kernel.verbs import entry, kernel
from onebit.streams.reading.field_dates import MOST_PARTS, NO_CYCLES, Cycles, cycles, put_date
from onebit.streams.reading.field_memo import Memo, fill, find_field, grown, new_memo, stored_field
from onebit.streams.reading.field_numbers import LONGEST_MISSING, read_field_number
from onebit.streams.reading.hashing import begin_hash, finish_hash, hash_byte
from onebit.streams.reading.numbers import Bytes, byte_at
from onebit.streams.reading.row_buffer import Int64s
from onebit.streams.reading.row_cleanup import Flags, normalize_rows
from onebit.streams.reading.text_words import (
    WordScratch,
    new_word_scratch,
    scan_words,
    weigh_words,
)
from onebit.streams.reading.word_marks import WordMarks, mark_words, new_word_marks

#: How a column is read: all fields from the cache of fields, as numbers, as hashed values, as
#: words of a text that may be missing, or of any text, or as dates; or they are numbers that are
#: given beside the text.
REMEMBERED, NUMBER, HASHED, TEXT, DOCUMENT, DATE, GIVEN = range(7)
#: A cache with more fields or bytes is emptied before the next piece.
_MOST_FIELDS, _MOST_BYTES = 1 << 17, 1 << 24
#: Why encoding stopped: it is done, or there is no room for more fields, or for more entries.
_DONE, _NO_FIELDS, _NO_ENTRIES = range(3)

#: Features of a field and their values, and whether the field is malformed.
Entries = tuple[list[int], list[float], bool]


class FieldCode(NamedTuple):
    """How the fields of a column become features.

    Attributes
    ----------
    place : int
        The place of the column in a record.
    mode : int
        How it is read.
    read : callable
        What its fields are, in Python.
    first, width : int
        The first feature, and how many values or words are hashed to.
    mark : int
        The byte before decimals of numbers.
    prefix : str
        What is before values or words when they are hashed.
    weight : float
        The norm of a text.
    parts : tuple of int
        The parts of a date.
    times : tuple of float
        Where the trend of a date is 0, and its span.
    """

    place: int
    mode: int
    read: Callable[[str], Entries]
    first: int = 0
    width: int = 1
    mark: int = 46
    prefix: str = ""
    weight: float = 1.0
    parts: tuple[int, ...] = ()
    times: tuple[float, float] = (0.0, 1.0)


class _Codes(NamedTuple):
    """The codes of all columns as arrays; `hashes` are the unfinished ones of the prefixes."""

    places: Int64s
    modes: Int64s
    firsts: Int64s
    widths: Int64s
    marks: Int64s
    hashes: Int64s
    weights: Floats
    parts: Int64s
    times: Floats


class _Rows(NamedTuple):
    """A buffer for rows: as CSR, and which of them have a malformed field.

    The cursor has the next record, whether a field is not known yet (then the index of its entry
    is -1 - its number in the memory), and whether features do not ascend or a value is 0.
    """

    cursor: Int64s
    starts: Int64s
    indices: Ints
    values: Floats
    valid: Flags
    malformed: Flags


class FieldEncoder:
    """Turns records into rows; it may be used by several threads, each with a memory of its own."""

    def __init__(self, codes: Sequence[FieldCode], width: int) -> None:
        self.codes, self.width = codes, width
        self._local = threading.local()
        hashes = [begin_hash(code.prefix.encode(errors="surrogatepass")) for code in codes]
        whole = [(c.place, c.mode, c.first, c.width, c.mark) for c in codes]
        places, modes, firsts, widths, marks = np.array(whole, np.int64).reshape(-1, 5).T.copy()
        self._codes = _Codes(
            places, modes, firsts, widths, marks, np.array(hashes, np.int64).reshape(-1, 3),
            np.array([code.weight for code in codes], np.float64),
            np.array([(*code.parts, 0, 0, 0, 0)[:4] for code in codes], np.int64).reshape(-1, 4),
            np.array([code.times for code in codes], np.float64).reshape(-1, 2),
        )  # fmt: skip
        self._has_words = any(code.mode in (TEXT, DOCUMENT) for code in codes)
        self._cycles = cycles() if any(code.mode == DATE for code in codes) else NO_CYCLES

    def encode(
        self, text: bytes, spans: Ints, numbers: Floats
    ) -> tuple[SparseRows, Flags, list[tuple[int, int]]]:
        """Return the rows of records in the form that kernels need, and which are valid.

        `numbers` are the fields of columns that are given as numbers, of all columns if of any.
        Beside them: the row and the column of each malformed field. `normalize_rows` says what is
        valid.
        """
        local, bytes_of = self._local, np.frombuffer(text, np.uint8)
        count = len(spans) // (2 * self.width)
        memo = self._memo()
        words = len(text) // 2 if self._has_words else 0  # memory that is not used is not taken
        rows = _new_rows(count, max(len(spans) // 2 + 16, local.room) + words)
        if self._has_words:
            if len(local.words.low) < len(text) + 16:
                local.words = new_word_marks(len(text) * 5 // 4)
            mark_words(bytes_of, local.words)
        while True:
            first = int(memo.size[0])
            why = _encode(
                bytes_of, spans, numbers, self.width, count, self._codes, memo, self._cycles,
                local.words, local.scratch, rows, LARGEST,
            )  # fmt: skip
            local.memo = memo = self._learn(memo, first)
            if why == _DONE:
                break
            if why == _NO_FIELDS:
                local.memo = memo = grown(memo, len(text))
            else:
                rows = _longer(rows, len(text))
        end = rows.starts[count]
        local.room = 0 if words else int(end * 17 // 16)
        found = SparseRows(rows.starts[: count + 1], rows.indices[:end], rows.values[:end])
        if rows.cursor[1]:
            found = _with_learned(found, memo, rows.malformed)
        valid = rows.valid
        if rows.cursor[1] or rows.cursor[2]:
            found, valid, _ = normalize_rows(found)
        malformed = np.flatnonzero(rows.malformed[:count]).tolist()
        return (
            found,
            valid,
            [
                (row, n)
                for row in malformed
                for n, code in enumerate(self.codes)
                if code.read(field_text(text, spans, row * self.width + code.place))[2]
            ],
        )

    def _memo(self) -> Memo:
        """Return this thread's memory."""
        local = self._local
        if not hasattr(local, "memo"):
            local.scratch, local.memo = new_word_scratch(), new_memo(len(self.codes))
            local.words, local.room = new_word_marks(0), 0
        memo: Memo = local.memo
        if memo.size[0] > _MOST_FIELDS or memo.starts[memo.size[0]] > _MOST_BYTES:
            local.memo = memo = new_memo(len(self.codes))
        return memo

    def _learn(self, memo: Memo, first: int) -> Memo:
        """Fill in the fields of the memory from `first` on."""
        made = []
        for n in range(first, int(memo.size[0])):
            places, values, bad = self.codes[memo.columns[n]].read(stored_field(memo, n))
            memo.marked[n] = bad
            made.append([each for each in zip(places, values, strict=True) if each[1] != 0.0])
        return fill(memo, first, made) if made else memo


def field_text(text: bytes, spans: Ints, field: int) -> str:
    """Return a field, counted over all records."""
    return text[spans[2 * field] : spans[2 * field + 1]].decode(errors="surrogatepass")


def _new_rows(count: int, entries: int) -> _Rows:
    """Return a buffer for rows."""
    return _Rows(
        np.zeros(3, np.int64), np.zeros(count + 1, np.int64), np.empty(entries, np.int32),
        np.empty(entries), np.empty(count, np.bool_), np.zeros(count, np.bool_),
    )  # fmt: skip


def _longer(rows: _Rows, more: int) -> _Rows:
    """Return a buffer with the same rows and room for more entries."""
    end = rows.starts[rows.cursor[0]]
    indices, values = (
        np.concatenate([array[:end], np.empty(len(array) + more, array.dtype)])
        for array in (rows.indices, rows.values)
    )
    return rows._replace(indices=indices, values=values)


def _with_learned(found: SparseRows, memo: Memo, malformed: Flags) -> SparseRows:
    """Return rows with the entries of the fields that were not known when they were made."""
    asked = -1 - found.indices[found.indices < 0]
    size = len(found.indices) + int((memo.entry_stops[asked] - memo.entry_starts[asked]).sum())
    out = SparseRows(np.empty_like(found.starts), np.empty(size, np.int32), np.empty(size))
    end = _put_in(found, memo, out, malformed)
    return SparseRows(out.starts, out.indices[:end], out.values[:end])


@entry
def _put_in(found: SparseRows, memo: Memo, out: SparseRows, malformed: Flags) -> int:
    end = 0
    for row in range(found.starts.shape[0] - 1):
        out.starts[row] = end
        for n in range(found.starts[row], found.starts[row + 1]):
            index = np.int64(found.indices[n])
            if index >= 0:
                out.indices[end], out.values[end] = index, found.values[n]
                end += 1
            else:
                number = -1 - index
                for m in range(memo.entry_starts[number], memo.entry_stops[number]):
                    out.indices[end], out.values[end] = memo.indices[m], memo.values[m]
                    end += 1
                if memo.marked[number]:
                    malformed[row] = True
    out.starts[found.starts.shape[0] - 1] = end
    return end


@entry
def _encode(
    text: Bytes, spans: Ints, numbers: Floats, width: int, count: int, codes: _Codes, memo: Memo,
    tables: Cycles, found_words: WordMarks, scratch: WordScratch, rows: _Rows, largest: float,
) -> int:  # fmt: skip
    """Encode the records from the cursor on; return why that stopped, always before a record."""
    indices, values, room = rows.indices, rows.values, rows.indices.shape[0]
    end = rows.starts[rows.cursor[0]]
    for row in range(rows.cursor[0], count):
        rows.cursor[0] = row
        for n in range(codes.places.shape[0]):
            place = 2 * (row * width + codes.places[np.uint64(n)])
            start = np.int64(spans[np.uint64(place)])
            stop = np.int64(spans[np.uint64(place + 1)])
            if end + ((stop - start) >> 1) + 2 > room:  # words, each but the last with a blank
                return _NO_ENTRIES
            mode = codes.modes[np.uint64(n)]
            if mode == NUMBER:
                value, found = read_field_number(text, start, stop, codes.marks[np.uint64(n)])
                if found and abs(value) <= largest:
                    indices[np.uint64(end)] = codes.firsts[np.uint64(n)]
                    values[np.uint64(end)] = value
                    end += np.int64(value != 0.0)  # no branch: it could not be foreseen
                    continue
            elif mode == GIVEN:
                value = numbers[np.uint64(codes.places[np.uint64(n)]), np.uint64(row)]
                if abs(value) <= largest:
                    indices[np.uint64(end)] = codes.firsts[np.uint64(n)]
                    values[np.uint64(end)] = value
                    end += np.int64(value != 0.0)
                    continue
            elif mode == HASHED:
                hashed = hash_value(text, start, stop, codes.hashes[n])
                if hashed >= 0:
                    indices[end] = codes.firsts[n] + hashed % codes.widths[n]
                    values[end] = 1.0
                    end += 1
                    continue
            elif mode == DOCUMENT or (mode == TEXT and not may_be_missing(text, start, stop)):
                hashes = codes.hashes[n]
                prefix = (hashes[0], hashes[1], hashes[2])
                words, places = scan_words(
                    text, start, stop, codes.widths[n], prefix, found_words, scratch
                )
                if weigh_words(
                    scratch, words, places, codes.firsts[n], codes.weights[n], indices, values, end
                ):
                    end += places
                    continue
            elif mode == DATE:
                if end + 2 * MOST_PARTS > room:
                    return _NO_ENTRIES
                after = put_date(
                    text, start, stop, codes.firsts[n], codes.parts[n], codes.times[n], tables,
                    indices, values, end,
                )  # fmt: skip
                if after >= 0:
                    end = after
                    continue
            number = find_field(memo, n, text, start, stop)
            if number < 0:
                return _NO_FIELDS
            first, last = memo.entry_starts[np.uint64(number)], memo.entry_stops[np.uint64(number)]
            if first < 0:
                indices[end], values[end] = -1 - number, 0.0
                end += 1
                rows.cursor[1] = 1
                continue
            if end + last - first > room:
                return _NO_ENTRIES
            for m in range(first, last):
                indices[np.uint64(end)] = memo.indices[np.uint64(m)]
                values[np.uint64(end)] = memo.values[np.uint64(m)]
                end += 1
            if memo.marked[np.uint64(number)]:
                rows.malformed[row] = True
        finish_row(rows, row, end, largest * largest)
    rows.cursor[0] = count
    return _DONE


@kernel
def finish_row(rows: _Rows, row: int, end: int, largest_square: float) -> None:
    """Note where a row ends, whether it is valid, and whether it must be put in order."""
    square, last, ordered = 0.0, -1, True
    for n in range(rows.starts[row], end):
        index, value = int(rows.indices[np.uint64(n)]), rows.values[np.uint64(n)]
        ordered = ordered & (index > last) & (value != 0.0)
        square += value * value
        last = index
    rows.starts[row + 1], rows.valid[row] = end, square <= largest_square
    if not ordered:
        rows.cursor[2] = 1


@kernel
def hash_value(text: Bytes, start: int, stop: int, prefix: Int64s) -> int:
    """Return the hash of a value that all write alike; -1 if it may be another or missing."""
    if stop - start <= LONGEST_MISSING or text[start] <= 32 or text[stop - 1] <= 32:
        return -1
    h, rest, length = prefix[0], prefix[1], prefix[2]
    for at in range(start, stop):
        c = byte_at(text, at)
        if c >= 128 or c == 46:
            return -1
        h, rest = hash_byte(h, rest, length, c)
        length += 1
    return finish_hash(h, rest, length)  # type: ignore[no-any-return]


@kernel
def may_be_missing(text: Bytes, start: int, stop: int) -> bool:
    """Return whether a text may mean that there is none; blanks around it are no part of it."""
    while start < stop and is_stripped(byte_at(text, start)):
        start += 1
    while start < stop and is_stripped(byte_at(text, stop - 1)):
        stop -= 1
    return stop - start <= LONGEST_MISSING


@kernel
def is_stripped(c: int) -> bool:
    """Return whether a byte is a blank that is no part of a field."""
    return c == 32 or c == 9 or c == 10 or c == 13
