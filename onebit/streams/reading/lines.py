"""Lines of text, one at a time, and whether they are valid: UTF-8 without NUL bytes."""

from __future__ import annotations

from collections.abc import Iterator

from onebit.streams.reading.source import Source

#: What a line must do, to follow "must" in a message.
VALID_TEXT = "be UTF-8 text without NUL bytes"


class Lines:
    """The lines of a source as text; `suspect` says that the current chunk has invalid bytes."""

    def __init__(self, source: Source) -> None:
        self.suspect = False
        self.source = source

    def __iter__(self) -> Iterator[str]:
        for chunk in self.source.chunks():
            try:
                text = chunk.decode()
                self.suspect = "\0" in text
            except UnicodeDecodeError:
                text = chunk.decode(errors="surrogateescape")
                self.suspect = True
            yield from text.removesuffix("\n").split("\n")

    def numbered(self) -> Iterator[tuple[int, str]]:
        """Return every line that is not blank, without its end, with its number."""
        for number, line in enumerate(self, 1):
            if line and not line.isspace():
                yield number, line.removesuffix("\r")

    def is_invalid(self, text: str) -> bool:
        """Return whether text from the current chunk has NUL bytes or bytes that are not UTF-8."""
        return self.suspect and ("\0" in text or any("\ud800" <= c <= "\udfff" for c in text))


def show_invalid(text: str) -> str:
    """Return invalid text for a message, with escapes for its invalid bytes."""
    start = text[:200].encode(errors="surrogateescape").decode(errors="backslashreplace")
    return start.replace("\0", "\\0")
