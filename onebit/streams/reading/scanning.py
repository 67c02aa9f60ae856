"""Scanning the bytes of a line: blanks, line ends, and the token at which an error is."""

from __future__ import annotations

from onebit.kernel.verbs import kernel
from onebit.streams.reading.numbers import Bytes, byte_at
from onebit.streams.reading.row_buffer import ERROR, ERROR_START, ERROR_STOP, RowBuffer


@kernel
def is_blank(c: int) -> bool:
    """Return whether a byte is a space, a tab or a carriage return."""
    return c == 32 or c == 9 or c == 13


@kernel
def skip_blanks(text: Bytes, at: int) -> int:
    """Return the position of the first byte from `at` on that is not blank."""
    while is_blank(byte_at(text, at)):
        at += 1
    return at


@kernel
def skip_line(text: Bytes, at: int) -> int:
    """Return the position after the next newline."""
    while byte_at(text, at) != 10:
        at += 1
    return at + 1


@kernel
def mark_error(buffer: RowBuffer, text: Bytes, error: int, at: int) -> None:
    """Note an error and the token at which it is."""
    start, stop = at, at
    while start > 0 and byte_at(text, start - 1) > 32:
        start -= 1
    while byte_at(text, stop) != 10 and (byte_at(text, stop) > 32 or stop <= at):
        stop += 1
    cursor = buffer.cursor
    cursor[ERROR], cursor[ERROR_START], cursor[ERROR_STOP] = error, start, stop
