"""Lines of text, one at a time, and whether they are valid: UTF-8 without NUL bytes."""

from __future__ import annotations

from collections.abc import Iterator

from onebit.streams.reading.bad_lines import notify_once
from onebit.streams.reading.source import Source

#: What a line must do, to follow "must" in a message.
VALID_TEXT = "be UTF-8 text without NUL bytes"
LATIN_1 = "latin-1"


class Lines:
    """The lines of a source as text; `suspect` says that there may be invalid bytes in them.

    If `latin_1`, text that is not UTF-8 is read as Latin-1, and that is told; not so if there is
    a character of UTF-8 in it beyond ASCII, for then it is UTF-8 with damage.
    """

    def __init__(self, source: Source, *, latin_1: bool = False) -> None:
        self.suspect = False
        self.source, self.latin_1 = source, latin_1
        self.encoding = "utf-8"

    def __iter__(self) -> Iterator[str]:
        plain = True  # no character beyond ASCII so far
        for chunk in self.source.chunks():
            text = self._decoded(chunk, plain)
            plain = plain and chunk.isascii()
            self.suspect = self.suspect or "\0" in text
            yield from text.removesuffix("\n").split("\n")

    def _decoded(self, chunk: bytes, plain: bool) -> str:
        try:
            return chunk.decode(self.encoding)
        except UnicodeDecodeError:
            text = chunk.decode(errors="surrogateescape")
        if self.latin_1 and plain and all_escaped(chunk):
            self.encoding = LATIN_1
            notify_once(f"{self.source.name}: read as Latin-1, since it is not UTF-8")
            return chunk.decode(LATIN_1)
        self.suspect = True
        return text

    def numbered(self) -> Iterator[tuple[int, str]]:
        """Return every line that is not blank, without its end, with its number."""
        for number, line in enumerate(self, 1):
            if line and not line.isspace():
                yield number, line.removesuffix("\r")

    def is_invalid(self, text: str) -> bool:
        """Return whether text has NUL bytes or bytes that are not UTF-8."""
        return self.suspect and is_invalid(text)


def is_invalid(text: str) -> bool:
    """Return whether text has NUL bytes or bytes that are not UTF-8."""
    return "\0" in text or any(map(_is_escape, text))


def all_escaped(chunk: bytes) -> bool:
    """Return whether bytes have no character of UTF-8 beyond ASCII."""
    characters = set(chunk.decode(errors="surrogateescape"))
    return not any(c > "\x7f" and not _is_escape(c) for c in characters)


def show_invalid(text: str) -> str:
    """Return invalid text for a message, with escapes for its invalid bytes."""
    start = text[:200].encode(errors="surrogateescape").decode(errors="backslashreplace")
    return start.replace("\0", "\\0")


def _is_escape(character: str) -> bool:
    """Return whether a character stands for a byte that is not UTF-8."""
    return "\ud800" <= character <= "\udfff"
