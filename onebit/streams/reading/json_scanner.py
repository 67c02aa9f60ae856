"""Objects of JSON in compiled code: a row of names and numbers, and its label, one object a line.

Only what most files have is read: strings without escapes, numbers, true and false. A line with
anything else is unusual, and left to Python.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from onebit.kernel.verbs import implements, kernel
from onebit.streams.reading.hashing import finish_hash, hash_byte
from onebit.streams.reading.line_parser import parse_line
from onebit.streams.reading.numbers import (
    NO_NUMBER,
    PARSED,
    Bytes,
    byte_at,
    is_digit,
    read_digits,
    read_power,
    times_power_of_ten,
)
from onebit.streams.reading.row_buffer import Int64s, RowBuffer
from onebit.streams.reading.scanning import skip_blanks

#: The error number of a line that is left to Python.
UNUSUAL = 1
#: Rows of more names, or of larger values, are unusual: norms stay far below 1e100.
_MOST_NAMES, _LARGEST = 20_000, 1e90
#: How many marks of columns there are; the one after them is the number of the row.
_MARKS = 1 << 16


class ObjectRules(NamedTuple):
    """The name of the label, the width that names are hashed to, and marks of a row's columns."""

    label: Bytes
    features: int
    marks: Int64s


def object_rules(label: str, features: int) -> ObjectRules:
    """Return rules, with marks for one thread."""
    name = np.frombuffer(label.encode(errors="surrogatepass"), np.uint8)
    return ObjectRules(name, features, np.zeros(_MARKS + 1, np.int64))


@implements(parse_line, ObjectRules)
def _(
    rules: ObjectRules, buffer: RowBuffer, text: Bytes, at: int, row: int, end: int, deferred: int
) -> tuple[int, int, int, int]:
    line, has_row, has_label = at, False, False
    if byte_at(text, at) != 123:
        return line, end, deferred, UNUSUAL
    c = 44
    while c == 44:
        at = skip_blanks(text, at + 1)
        start = at + 1
        stop = string_end(text, at)
        at = value_start(text, stop)
        if at < 0:
            return line, end, deferred, UNUSUAL
        if stop - start == 1 and byte_at(text, start) == 120:
            at, end = read_names(rules, buffer, text, -1 if has_row else at, end)
            has_row = True
        elif is_word(text, start, stop, rules.label):
            at = read_label(buffer, text, -1 if has_label else at, row)
            has_label = True
        else:
            at = scalar_end(text, at)
        if at < 0:
            return line, end, deferred, UNUSUAL
        at = skip_blanks(text, at)
        c = byte_at(text, at)
    if c != 125 or not (has_row and has_label):
        return line, end, deferred, UNUSUAL
    at = skip_blanks(text, at + 1)
    return (at, end, deferred, 0) if byte_at(text, at) == 10 else (line, end, deferred, UNUSUAL)


@kernel
def read_names(
    rules: ObjectRules, buffer: RowBuffer, text: Bytes, at: int, end: int
) -> tuple[int, int]:
    """Read the object at text[at:] into entries from `end` on; return where both end.

    The former is -1 if it is unusual, also if `at` is.
    """
    if at < 0 or byte_at(text, at) != 123:
        return -1, end
    first = end
    rules.marks[_MARKS] += 1
    at = skip_blanks(text, at + 1)
    if byte_at(text, at) == 125:
        return at + 1, end
    while True:
        if byte_at(text, at) != 34:
            return -1, end
        at, h, rest, length = hash_string(text, at + 1, 0, 0, 0)
        at = value_start(text, at)
        if at < 0:
            return -1, end
        name = finish_hash(h, rest, length) % rules.features
        column = name
        if byte_at(text, at) == 34:  # a text is a feature of its own, name=text
            h, rest = hash_byte(h, rest, length, 61)
            at, h, rest, length = hash_string(text, at + 1, h, rest, length + 1)
            at, value = at + 1 if at >= 0 else -1, 1.0
            column = finish_hash(h, rest, length) % rules.features
        else:
            at, value = read_value(text, at)
        if at < 0 or abs(value) > _LARGEST or end - first >= _MOST_NAMES:
            return -1, end
        if was_before(rules.marks, buffer, column, name, first, end):
            return -1, end
        buffer.indices[end], buffer.values[end] = column, value
        end += 1
        at = skip_blanks(text, at)
        c = byte_at(text, at)
        if c != 44:
            return at + 1 if c == 125 else -1, end
        at = skip_blanks(text, at + 1)


@kernel
def was_before(
    marks: Int64s, buffer: RowBuffer, column: int, name: int, first: int, end: int
) -> bool:
    """Return whether a column, or that of a name, is one of the entries from `first` to `end`.

    Both are marked, and the latter is noted for the next entry: in `deferred`, which is free here.
    """
    buffer.deferred[end] = name
    seen = is_marked(marks, column)
    if name != column:
        seen = is_marked(marks, name) or seen
    if seen:
        for n in range(first, end):
            if buffer.indices[n] == column or buffer.deferred[n] == name:
                return True
    return False


@kernel
def is_marked(marks: Int64s, column: int) -> bool:
    """Return whether a column, or one in its place, was marked in this row; mark it."""
    place = column & (_MARKS - 1)
    if marks[place] == marks[_MARKS]:
        return True
    marks[place] = marks[_MARKS]
    return False


@kernel
def read_label(buffer: RowBuffer, text: Bytes, at: int, row: int) -> int:
    """Note where the label at text[at:] is, as the label of a row; return where it ends, or -1."""
    if at < 0:
        return -1
    start, stop = at, scalar_end(text, at)
    c, end = byte_at(text, at), stop
    if stop < 0 or c == 110:  # null
        return -1
    if c == 34:
        start, stop = start + 1, stop - 1
    elif (c == 45 or is_digit(c)) and not is_as_written(text, start, stop):
        return -1
    if start == stop:
        return -1
    buffer.label_starts[row], buffer.label_stops[row] = start, stop
    return end  # type: ignore[no-any-return]


@kernel
def string_end(text: Bytes, at: int) -> int:
    """Return where the quote is that ends the string at text[at:]; -1 if it is unusual."""
    if byte_at(text, at) != 34:
        return -1
    at += 1
    c = byte_at(text, at)
    while c != 34:
        if c < 32 or c == 92:
            return -1
        at += 1
        c = byte_at(text, at)
    return at


@kernel
def hash_string(text: Bytes, at: int, h: int, rest: int, length: int) -> tuple[int, int, int, int]:
    """Continue an unfinished hash with the string whose first byte is text[at].

    Returns where the quote is that ends it, -1 if it is unusual, and the hash, rest and length.
    """
    c = byte_at(text, at)
    while c != 34:
        if c < 32 or c == 92:
            return -1, h, rest, length
        h, rest = hash_byte(h, rest, length, c)
        length += 1
        at += 1
        c = byte_at(text, at)
    return at, h, rest, length


@kernel
def value_start(text: Bytes, quote: int) -> int:
    """Return where the value begins whose name ends at a quote; -1 if there is none."""
    if quote < 0:
        return -1
    at = skip_blanks(text, quote + 1)
    return skip_blanks(text, at + 1) if byte_at(text, at) == 58 else -1


@kernel
def scalar_end(text: Bytes, at: int) -> int:
    """Return where the string, number or word at text[at:] ends; -1 if it is unusual."""
    c = byte_at(text, at)
    if c == 34:
        quote = string_end(text, at)
        return quote + 1 if quote >= 0 else -1
    if c == 110:
        return at + 4 if spells(text, at, 110, 117, 108, 108) else -1
    return read_value(text, at)[0]  # type: ignore[no-any-return]


@kernel
def read_value(text: Bytes, at: int) -> tuple[int, float]:
    """Read the number, true or false at text[at:]; return where it ends, or -1, and the number."""
    c = byte_at(text, at)
    if c == 116:
        return at + 4 if spells(text, at, 116, 114, 117, 101) else -1, 1.0
    if c == 102:
        return at + 5 if spells(text, at + 1, 97, 108, 115, 101) else -1, 0.0
    return read_json_number(text, at)  # type: ignore[no-any-return]


@kernel
def spells(text: Bytes, at: int, a: int, b: int, c: int, d: int) -> bool:
    """Return whether the bytes from `at` on are these; none before the last is a newline."""
    return (  # type: ignore[no-any-return]
        byte_at(text, at) == a
        and byte_at(text, at + 1) == b
        and byte_at(text, at + 2) == c
        and byte_at(text, at + 3) == d
    )


@kernel
def is_word(text: Bytes, start: int, stop: int, word: Bytes) -> bool:
    """Return whether text[start:stop] is a word."""
    if stop - start != word.shape[0]:
        return False
    for n in range(word.shape[0]):
        if text[start + n] != word[n]:
            return False
    return True


@kernel
def read_json_number(text: Bytes, at: int) -> tuple[int, float]:
    """Read the number at text[at:] as JSON writes them; return where it ends, or -1, and it."""
    negative = byte_at(text, at) == 45
    if negative:
        at += 1
    first, e = at, 0
    at, w = read_digits(text, at, 0)
    digits = at - first
    if digits == 0 or (digits > 1 and byte_at(text, first) == 48):
        return -1, 0.0
    if byte_at(text, at) == 46:
        point = at + 1
        at, w = read_digits(text, point, w)
        e = point - at
        if e == 0:
            return -1, 0.0
    c = byte_at(text, at)
    digits -= e
    if c == 101 or c == 69:
        at, power, kind = read_power(text, at + 1)
        if kind == NO_NUMBER:
            return -1, 0.0
        e += power
    while digits > 18 and (byte_at(text, first) == 48 or byte_at(text, first) == 46):
        digits -= byte_at(text, first) == 48  # leading zeros do not count
        first += 1
    if digits > 18:
        return -1, 0.0
    value, kind = times_power_of_ten(w, e)
    return at if kind == PARSED else -1, -value if negative else value


@kernel
def is_as_written(text: Bytes, start: int, stop: int) -> bool:
    """Return whether Python writes the number text[start:stop] surely in the same way."""
    first = start + 1 if byte_at(text, start) == 45 else start
    point = first
    while point < stop and is_digit(byte_at(text, point)):
        point += 1
    zero = byte_at(text, first) == 48
    if point == stop:
        return stop - first <= 15 and not (zero and first > start)
    for n in range(point + 1, stop):
        if not is_digit(byte_at(text, n)):
            return False
    ends_with_zero = byte_at(text, stop - 1) == 48
    if byte_at(text, point) != 46 or stop - first > 16:
        return False
    return stop - point == 2 if ends_with_zero else not zero
