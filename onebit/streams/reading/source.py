"""Where bytes come from: a plain or compressed file, or standard input, in pieces.

A piece is some whole lines, so that whoever reads it never looks beyond its
end. Only one piece is in memory at a time; a line longer than a piece is a
piece of its own.
"""

from __future__ import annotations

import gzip
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from onebit.errors import BadInput
from onebit.streams.reading.stdin import Live, interrupted

#: Bytes read at a time.
PIECE = 1 << 20
#: Bytes of a zstandard file unpacked at a time.
_PACKED_PIECE = 1 << 14
#: A line longer than this is refused.
LONGEST_LINE = 1 << 30
#: Endings of compressed files, and the bytes that such a file begins with.
COMPRESSED = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}

_taken: list[Any] = []


class Source(NamedTuple):
    """A file by its path, or standard input as `-`."""

    path: str

    @property
    def name(self) -> str:
        """What to call it in a sentence."""
        return "standard input" if self.path == "-" else self.path

    @property
    def unpacked_path(self) -> Path:
        """The path without the ending that says the compression."""
        path = Path(self.path)
        return path.with_suffix("") if path.suffix.lower() in COMPRESSED else path

    @property
    def ending(self) -> str:
        """The ending that says the format."""
        return self.unpacked_path.suffix.lower()

    @property
    def repeatable(self) -> bool:
        """Whether it can be read more than once: a file on the disk, not a pipe."""
        return self.path != "-" and stat.S_ISREG(self._stat().st_mode)

    @property
    def version(self) -> tuple[int, ...]:
        """Numbers that change when the file does."""
        found = self._stat()
        return found.st_ino, found.st_size, found.st_mtime_ns

    def refuse_if_missing(self) -> None:
        """Raise the sentence if there is no such file."""
        if self.path != "-" and stat.S_ISDIR(self._stat().st_mode):
            raise BadInput(f"onebit: {self.path} is a directory, not a file.")

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Open the bytes, unpacked; what goes wrong while reading becomes a sentence."""
        try:
            with self._raw() as raw:
                yield self._unpacked(raw)
        except OSError as error:
            raise BadInput(
                f"onebit: {self.name} cannot be read: {error.strerror or error}."
            ) from None
        except (EOFError, zlib.error) as error:
            raise BadInput(f"onebit: {self.name} is damaged: {_sentence(error)}.") from None

    def pieces(self) -> Iterator[bytes]:
        """Return whole lines, about a megabyte at a time; the last one ends with a newline too."""
        with self.open() as file:
            held: list[bytes] = []
            length, first = 0, True
            while part := file.read(PIECE):
                if first:
                    part, first = part.removeprefix(b"\xef\xbb\xbf"), False  # a byte order mark
                cut = part.rfind(b"\n") + 1
                if cut:
                    yield b"".join([*held, part[:cut]])
                    held, length = [], 0
                held.append(part[cut:])
                length += len(held[-1])
                if length > LONGEST_LINE:
                    raise BadInput(
                        f"onebit: {self.name} must have lines of at most {LONGEST_LINE:,} bytes,"
                        " got a longer one."
                    )
            if length and not interrupted.is_set():
                yield b"".join([*held, b"\n"])

    def _stat(self) -> os.stat_result:
        try:
            return os.stat(self.path)
        except OSError as error:
            raise BadInput(f"onebit: {self.path} cannot be read: {error.strerror}.") from None

    @contextmanager
    def _raw(self) -> Iterator[Any]:
        if self.path != "-":
            with open(self.path, "rb") as file:
                yield file
            return
        if any(taken is sys.stdin for taken in _taken):
            raise BadInput("onebit: standard input can be read only once; give a file.")
        _taken.append(sys.stdin)
        yield Live(sys.stdin.buffer)

    def _unpacked(self, raw: Any) -> IO[bytes]:
        """Return a reader of what the file holds once unpacked; its first bytes decide."""
        start = raw.peek(4)
        for ending, magic in COMPRESSED.items():
            if start.startswith(magic):
                return _gzip(raw) if ending == ".gz" else _zstd(raw)
            if self.path.lower().endswith(ending) and start:
                raise BadInput(f"onebit: {self.path} is not a {ending} file, for all its name.")
        return raw  # type: ignore[no-any-return]


def _gzip(raw: Any) -> IO[bytes]:
    return gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]


def _zstd(raw: Any) -> IO[bytes]:
    try:
        import zstandard
    except ImportError:
        raise BadInput(
            "onebit: .zst files need the extra zstd: pip install 'onebit[zstd]'."
        ) from None
    return _Zstd(raw, zstandard)  # type: ignore[return-value]


class _Zstd:
    """A reader of zstandard frames, one after another, that notices when the last is cut off."""

    def __init__(self, raw: Any, library: Any) -> None:
        self.raw, self.library = raw, library
        self.left, self.frame = b"", cast(Any, None)
        self.made = b""

    def read(self, size: int) -> bytes:
        """Return so many bytes, fewer only at the end."""
        parts, length = [self.made], len(self.made)
        while length < size and (part := self._more()) is not None:
            parts.append(part)
            length += len(part)
        whole = b"".join(parts)
        self.made = whole[size:]
        return whole[:size]

    def _more(self) -> bytes | None:
        """Return what the next bytes of the file unpack to, None at its end."""
        self.left = self.left or self.raw.read(_PACKED_PIECE)
        if not self.left:
            if self.frame is not None:
                raise EOFError("it ends in the middle of a frame")
            return None
        if self.frame is None:
            self.frame = self.library.ZstdDecompressor().decompressobj()
        try:
            made: bytes = self.frame.decompress(self.left)
        except self.library.ZstdError as error:
            raise EOFError(str(error)) from None
        self.left = b""
        if self.frame.eof:
            self.left, self.frame = self.frame.unused_data, None
        return made


def _sentence(error: Exception) -> str:
    return str(error).strip().rstrip(".").replace("\n", " ")
