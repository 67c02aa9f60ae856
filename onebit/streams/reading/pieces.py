"""Pieces of a file, whole lines each, that several threads read side by side.

Where a piece ends is found by a look at the bytes around its end, so that a plain file is read by
the threads that parse it. What is compressed, or written in UTF-16, is read as it is decoded.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterator
from functools import partial

from onebit.errors import BadFile, file_error
from onebit.streams.reading import source as reading
from onebit.streams.reading.source import COMPRESSED, Source, check_line_ends, check_line_length
from onebit.streams.reading.stdin import interrupted

#: Reads a piece; it may be called in any thread.
ReadPiece = Callable[[], bytes]

#: Bytes that are looked at for a newline.
_WINDOW = 4096


class _OpenFile:
    """A file that is open as long as anything refers to it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.descriptor = os.open(source.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))

    def __del__(self) -> None:
        if hasattr(self, "descriptor"):
            os.close(self.descriptor)

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes from start to stop, fewer only at the end."""
        parts = []
        try:
            while start < stop and (part := os.pread(self.descriptor, stop - start, start)):
                parts.append(part)
                start += len(part)
        except OSError as error:
            raise file_error(f"onebit: {self.source.name} cannot be read", error) from None
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def read_lines(self, start: int, stop: int) -> bytes:
        """Return the lines from start to stop, which end with a newline."""
        lines = self.read(start, stop)
        if len(lines) < stop - start:
            raise BadFile(f"onebit: {self.source.name} became shorter while it was read.")
        return lines if lines.endswith(b"\n") else lines + b"\n"


def pieces(source: Source) -> Iterator[ReadPiece]:
    """Return what reads the lines of a file, about a megabyte at a time, in order."""
    plain = _open_plain(source)
    if plain is None:
        for chunk in source.chunks():
            yield partial(bytes, chunk)
        return
    size = os.fstat(plain.descriptor).st_size
    start = len(codecs.BOM_UTF8) if plain.read(0, 3) == codecs.BOM_UTF8 else 0
    first = True
    while start < size and not interrupted.is_set():
        stop = _line_end(plain, start, min(start + reading.CHUNK, size), size)
        if first and stop == size:
            check_line_ends(source.name, plain.read(start, stop))
        yield partial(plain.read_lines, start, stop)
        start, first = stop, False


def _open_plain(source: Source) -> _OpenFile | None:
    """Return an open file of plain text; None if it must be decoded, or its size is not known."""
    named_so = source.path.lower().endswith(tuple(COMPRESSED))
    if named_so or not source.repeatable or not hasattr(os, "pread"):
        return None
    try:
        found = _OpenFile(source)
    except OSError:
        return None  # the error will be raised when the file is read
    encoded = (*COMPRESSED.values(), codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    known = os.fstat(found.descriptor).st_size > 0
    return found if known and not found.read(0, 4).startswith(encoded) else None


def _line_end(file: _OpenFile, start: int, wanted: int, size: int) -> int:
    """Return where the last line before `wanted` ends, or the first one after it."""
    if wanted == size:
        return size
    at = wanted
    while at > start:
        window = max(at - _WINDOW, start)
        found = file.read(window, at).rfind(b"\n")
        if found >= 0:
            return window + found + 1
        at = window
    at = wanted
    while at < size and not interrupted.is_set():
        found = file.read(at, at + reading.CHUNK).find(b"\n")
        if found >= 0:
            return at + found + 1
        at += reading.CHUNK
        check_line_length(file.source.name, at - start)
    return size
