"""Bytes of text lines: gaps, line ends, and the word at which something is wrong."""

from __future__ import annotations

from onebit.kernel.verbs import kernel
from onebit.streams.reading.numbers import Bytes
from onebit.streams.reading.row_buffer import FROM, TO, WRONG, Sheet


@kernel
def is_gap(c: int) -> bool:
    """Say whether a byte is a space, a tab or the first half of a Windows line end."""
    return c == 32 or c == 9 or c == 13


@kernel
def after_gap(text: Bytes, at: int) -> int:
    """Return where the gap at a place ends; the place itself if there is none."""
    while is_gap(text[at]):
        at += 1
    return at


@kernel
def after_line(text: Bytes, at: int) -> int:
    """Return where the next line starts."""
    while text[at] != 10:
        at += 1
    return at + 1


@kernel
def complain(sheet: Sheet, text: Bytes, wrong: int, at: int) -> None:
    """Note what is wrong at a place: the word that stands there."""
    start, stop = at, at
    while start > 0 and text[start - 1] > 32:
        start -= 1
    while text[stop] != 10 and (text[stop] > 32 or stop <= at):
        stop += 1
    sheet.place[WRONG], sheet.place[FROM], sheet.place[TO] = wrong, start, stop
