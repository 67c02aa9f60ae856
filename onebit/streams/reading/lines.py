"""Lines of text, one at a time, and whether they are clean: UTF-8 without NUL bytes."""

from __future__ import annotations

from collections.abc import Iterator

from onebit.streams.reading.source import Source


class Lines:
    """Every line of a source as text; `dirty` says that the last ones may hold broken letters."""

    def __init__(self, source: Source) -> None:
        self.dirty = False
        self.source = source

    def __iter__(self) -> Iterator[str]:
        for piece in self.source.pieces():
            try:
                text = piece.decode()
                self.dirty = "\0" in text
            except UnicodeDecodeError:
                text = piece.decode(errors="surrogateescape")
                self.dirty = True
            yield from text.removesuffix("\n").split("\n")

    def numbered(self) -> Iterator[tuple[int, str]]:
        """Return every line that is not blank, without its end, with its number."""
        for number, line in enumerate(self, 1):
            if line and not line.isspace():
                yield number, line.removesuffix("\r")

    def soiled(self, text: str) -> bool:
        """Say whether a text of the last lines holds broken letters."""
        return self.dirty and ("\0" in text or any("\ud800" <= c <= "\udfff" for c in text))


#: What a line must do, to stand behind "must".
CLEAN = "be UTF-8 text without NUL bytes"


def shown(text: str) -> str:
    """Return broken text as it should stand in a sentence."""
    start = text[:200].encode(errors="surrogateescape").decode(errors="backslashreplace")
    return start.replace("\0", "\\0")
