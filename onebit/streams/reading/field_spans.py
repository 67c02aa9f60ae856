"""Splitting the lines of a table into fields, in compiled code: where each field is in the text.

A table is split as csv.reader does it; a field with quotes inside is written over in place,
without those that csv.reader leaves out. Lines of documents are split at their tabs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from onebit.kernel.rows import Ints
from onebit.kernel.verbs import entry, kernel
from onebit.streams.reading.numbers import Bytes, byte_at
from onebit.streams.reading.row_buffer import Int64s

#: Places in `SpanBuffer.cursor`: the next byte, how many lines and records were read, how many
#: fields a record of another width has, how many marks there are, and the next of them.
POSITION, LINE, RECORDS, FIELDS, MARKS, NEXT_MARK = range(6)
#: Why splitting stopped: at the end of the text; in quotes that are open there; at a record that
#: csv.reader must read, with all after it; after a record of another width.
ENDED, OPEN, ODD, OTHER_WIDTH = range(4)
#: What follows a field: another one, or the end of the record.
_MORE, _LAST = -1, -2


class Dialect(NamedTuple):
    """How records are written.

    Attributes
    ----------
    delimiter : int
        The byte between fields.
    quotes : bool
        Whether fields may be in quotes, and blanks before a field are no part of it.
    width : int
        How many fields a record has.
    longest : int
        Fields of more bytes may have too many characters.
    """

    delimiter: int
    quotes: bool
    width: int
    longest: int


class SpanBuffer(NamedTuple):
    """The lines where records end, where their fields start and stop, in turns, and scratch.

    `flags` says which bytes may end a field, `eight_flags` is the same memory, eight at a time,
    and `marks` are the places of those bytes.
    """

    cursor: Int64s
    lines: Int64s
    spans: Ints
    marks: Ints
    flags: Bytes
    eight_flags: Int64s

    @property
    def capacity(self) -> int:
        """How many bytes of text it can hold the fields of."""
        return len(self.lines)


def new_span_buffer(size: int, width: int) -> SpanBuffer:
    """Return a buffer for the fields of a text of `size` bytes."""
    eight_flags = np.empty((size + 7) // 8, np.int64)
    return SpanBuffer(
        np.zeros(6, np.int64), np.empty(size, np.int64), np.empty(2 * (size + width), np.int32),
        np.empty(size + 8, np.int32), eight_flags.view(np.uint8), eight_flags,
    )  # fmt: skip


@entry
def split_records(text: Bytes, dialect: Dialect, buffer: SpanBuffer) -> int:
    """Split text, from the cursor on, into records; return why that stopped.

    Where delimiters, quotes and line ends are is found first, without a branch that depends on
    it: a processor could not foresee where fields end. Records without quotes need no more.
    """
    cursor, spans, marks, width = buffer.cursor, buffer.spans, buffer.marks, dialect.width
    at, line, records = cursor[POSITION], cursor[LINE], cursor[RECORDS]
    if cursor[MARKS] == 0:
        cursor[MARKS] = find_marks(text, at, dialect, buffer)
    why, mark, count = ENDED, cursor[NEXT_MARK], cursor[MARKS]
    while why == ENDED and at < text.shape[0]:
        while mark < count and marks[mark] < at:
            mark += 1
        place, fields, lines, what = 2 * records * width, width, 1, _MORE
        first = at
        if mark + width <= count:
            first = read_plain_record(text, at, dialect, marks, mark, spans, place)
        if first > at:
            mark += width
        else:
            first = skip_returns(text, at)
            if byte_at(text, first) == 10:  # a line without fields
                at, line = first + 1, line + 1
                continue
            if first > at:
                why = ODD
                break
            fields = 0
            while what == _MORE:
                begin, stop, first, inside, what = read_field(text, first, dialect)
                lines += inside
                if fields < width:
                    spans[place], spans[place + 1] = begin, stop
                    place += 2
                fields += 1
            if what != _LAST:
                why = what
                break
        at, line = first, line + lines
        if fields == width:
            buffer.lines[records] = line
            records += 1
        else:
            why, cursor[FIELDS] = OTHER_WIDTH, fields
    cursor[NEXT_MARK] = mark
    cursor[POSITION], cursor[LINE], cursor[RECORDS] = at, line, records
    return why


@kernel
def find_marks(text: Bytes, at: int, dialect: Dialect, buffer: SpanBuffer) -> int:
    """Write where delimiters, quotes, carriage returns and newlines are; return how many."""
    flags, marks, count = buffer.flags, buffer.marks, np.uint64(0)
    delimiter = np.uint8(dialect.delimiter)
    quote = np.uint8(34) if dialect.quotes else delimiter
    for n in range(text.shape[0]):  # is vectorized
        c = text[n]
        flags[n] = (c == delimiter) | (c == quote) | (c == np.uint8(10)) | (c == np.uint8(13))
    for n in range(text.shape[0], (text.shape[0] + 7) & -8):
        flags[n] = 0
    eights = buffer.eight_flags
    for n in range(at >> 3, (text.shape[0] + 7) >> 3):
        if eights[np.uint64(n)] != 0:
            for place in range(np.uint64(8 * n), np.uint64(8 * n + 8)):
                marks[count] = place
                count += np.uint64(flags[place])
    return int(count)


@kernel
def read_plain_record(
    text: Bytes, at: int, dialect: Dialect, marks: Ints, mark: int, spans: Ints, place: int
) -> int:
    """Read the record at text[at:], if it has the right width and no quotes.

    `mark` is that of its first delimiter. Returns where the next record begins, `at` if this one
    must be read otherwise.
    """
    start, plain = at, byte_at(text, at) != 10 and byte_at(text, at) != 13
    delimiter, quotes, longest = dialect.delimiter, dialect.quotes, dialect.longest
    end = delimiter
    for n in range(np.uint64(mark), np.uint64(mark + dialect.width)):
        plain = plain & (end == delimiter)
        stop = int(marks[n])
        end = byte_at(text, stop)
        while quotes and byte_at(text, start) == 32:
            start += 1
        plain = plain & (stop - start <= longest)
        spans[np.uint64(place)], spans[np.uint64(place + 1)] = start, stop
        place += 2
        start = stop + 1
    if end == 13:
        end = byte_at(text, start)
        start += 1
    return start if plain and end == 10 else at


@kernel
def read_field(text: Bytes, at: int, dialect: Dialect) -> tuple[int, int, int, int, int]:
    """Read the field at text[at:].

    Returns where it begins and stops, where to read on, how many newlines are in it, and what
    follows: _MORE, _LAST, or OPEN or ODD if it is no field that can be read here.
    """
    delimiter = dialect.delimiter
    c = byte_at(text, at)
    if dialect.quotes:
        while c == 32:
            at += 1
            c = byte_at(text, at)
    if dialect.quotes and c == 34:
        begin, stop, at, lines = read_quoted(text, at + 1, dialect)
        if at < 0:
            return begin, stop, begin, 0, at + 3
        c = byte_at(text, at)
    else:
        begin, lines = at, 0
        while c != delimiter and c != 10 and c != 13:
            at += 1
            c = byte_at(text, at)
        stop = at
    if stop - begin > dialect.longest:
        return begin, stop, at, 0, ODD
    if c == delimiter:
        return begin, stop, at + 1, lines, _MORE
    at = skip_returns(text, at)
    return begin, stop, at + 1, lines, _LAST if byte_at(text, at) == 10 else ODD


@kernel
def read_quoted(text: Bytes, at: int, dialect: Dialect) -> tuple[int, int, int, int]:
    """Read the field after a quote, and write it over in place if it has quotes inside.

    Returns where it begins and stops, where it is followed by something else, and how many
    newlines are in it. In place of the third: OPEN - 3 or ODD - 3.
    """
    begin, stop, lines, quoted = at, at, 0, True
    while True:
        c = byte_at(text, at)
        if quoted:
            if c == 34:
                if byte_at(text, at + 1) != 34:
                    quoted = False
                    at += 1
                    continue
                at += 1
            elif c == 10:
                lines += 1
                if stop - begin > dialect.longest:
                    return begin, stop, ODD - 3, lines
                if at + 1 == text.shape[0]:
                    return begin, stop, OPEN - 3, lines
        elif c == dialect.delimiter or c == 10 or c == 13:
            return begin, stop, at, lines
        if stop < at:
            text[stop] = c
        stop += 1
        at += 1


@kernel
def skip_returns(text: Bytes, at: int) -> int:
    """Return the position of the first byte from `at` on that is no carriage return."""
    while byte_at(text, at) == 13:
        at += 1
    return at


@entry
def split_documents(text: Bytes, dialect: Dialect, buffer: SpanBuffer) -> int:
    """Split lines, from the cursor on, at tabs; return why that stopped."""
    cursor, spans, width = buffer.cursor, buffer.spans, dialect.width
    at, line, records = cursor[POSITION], cursor[LINE], cursor[RECORDS]
    why = ENDED
    while why == ENDED and at < text.shape[0]:
        line += 1
        first = skip_spaces(text, at)
        if byte_at(text, first) == 10:
            at = first + 1
            continue
        place, fields, c = 2 * records * width, 0, 0
        while c != 10:
            begin, c = at, byte_at(text, at)
            while c != dialect.delimiter and c != 10:
                at += 1
                c = byte_at(text, at)
            if fields < width:
                returned = c == 10 and at > begin and byte_at(text, at - 1) == 13
                spans[place], spans[place + 1] = begin, at - 1 if returned else at
                place += 2
            fields += 1
            at += 1
        if fields == width:
            buffer.lines[records] = line
            records += 1
        else:
            why, cursor[FIELDS] = OTHER_WIDTH, fields
    cursor[POSITION], cursor[LINE], cursor[RECORDS] = at, line, records
    return why


@kernel
def skip_spaces(text: Bytes, at: int) -> int:
    """Return the position of the first byte from `at` on that is no blank, or is a newline."""
    while True:
        c = byte_at(text, at)
        if (9 <= c <= 32) and (c <= 13 or c >= 28) and c != 10:
            at += 1
        elif c < 0xC2:
            return at
        else:
            code, size = read_character(text, at)
            if not is_space(code):
                return at
            at += size


@kernel
def read_character(text: Bytes, at: int) -> tuple[int, int]:
    """Return the character of several bytes at text[at:], which is valid UTF-8, and its size."""
    c, two = byte_at(text, at), byte_at(text, at + 1) & 63
    if c < 0xE0:
        return (c & 31) << 6 | two, 2
    three = byte_at(text, at + 2) & 63
    if c < 0xF0:
        return (c & 15) << 12 | two << 6 | three, 3
    return (c & 7) << 18 | two << 12 | three << 6 | (byte_at(text, at + 3) & 63), 4


@kernel
def is_space(code: int) -> bool:
    """Return whether a character beyond ASCII is one of those for which str.isspace() is true."""
    return (
        code == 0x85 or code == 0xA0 or code == 0x1680 or (0x2000 <= code <= 0x200A)
        or code == 0x2028 or code == 0x2029 or code == 0x202F or code == 0x205F or code == 0x3000
    )  # fmt: skip
