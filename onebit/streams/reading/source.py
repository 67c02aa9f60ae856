"""Reading a plain or compressed file, or standard input, in chunks.

A chunk is some whole lines, so that parsers never read beyond its end. One chunk is in memory at
a time; a line that is longer than a chunk is a chunk of its own.
"""

from __future__ import annotations

import codecs
import gzip
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from onebit.errors import BadFile, file_error
from onebit.naming.suggesting import did_you_mean
from onebit.streams.reading.stdin import StdinReader, interrupted

#: Bytes read at a time.
CHUNK = 1 << 20
#: Bytes of a zstandard file decompressed at a time.
_ZSTD_CHUNK = 1 << 14
#: The longest line that is accepted, in bytes.
LONGEST_LINE = 1 << 30
#: Endings of compressed files, and the first bytes of such a file.
COMPRESSED = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}

_read_before: list[Any] = []


class Source(NamedTuple):
    """A file by its path, or standard input as `-`."""

    path: str

    @property
    def name(self) -> str:
        """The name for messages."""
        return "standard input" if self.path == "-" else self.path

    @property
    def uncompressed_path(self) -> Path:
        """The path without the ending of the compression."""
        path = Path(self.path)
        return path.with_suffix("") if path.suffix.lower() in COMPRESSED else path

    @property
    def ending(self) -> str:
        """The ending of the format."""
        return self.uncompressed_path.suffix.lower()

    @property
    def repeatable(self) -> bool:
        """Whether it can be read more than once: a file on the disk, not a pipe."""
        return self.path != "-" and stat.S_ISREG(self._stat().st_mode)

    @property
    def version(self) -> tuple[int, ...]:
        """Numbers that change when the file does."""
        found = self._stat()
        return found.st_ino, found.st_size, found.st_mtime_ns

    def check_exists(self) -> None:
        """Raise BadInput if there is no such file."""
        if self.path != "-" and stat.S_ISDIR(self._stat().st_mode):
            raise BadFile(f"onebit: {self.path} is a directory, not a file.")

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Open the file, decompressed; errors while reading are raised as BadInput."""
        try:
            with self._open_raw() as raw:
                yield self._decompressed(raw)
        except OSError as error:
            raise file_error(f"onebit: {self.name} cannot be read", error) from None
        except (EOFError, zlib.error) as error:
            raise BadFile(f"onebit: {self.name} is damaged: {_one_line(error)}.") from None

    def chunks(self) -> Iterator[bytes]:
        """Return whole lines, about a megabyte at a time; the last line ends with a newline too."""
        with self.open() as opened:
            file: Any = opened
            unfinished: list[bytes] = []
            length, first, any_newline = 0, True, False
            size = max(CHUNK, 3)  # the first part has a whole byte order mark, if any
            while (part := file.read(size)) and not interrupted.is_set():
                size = CHUNK
                if first:
                    if part.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                        file = _Utf16Reader(file, part, self.name)
                        part = file.read(CHUNK)
                    part, first = part.removeprefix(codecs.BOM_UTF8), False
                cut = part.rfind(b"\n") + 1
                if cut:
                    any_newline = True
                    yield b"".join([*unfinished, memoryview(part)[:cut]])
                    unfinished, length = [], 0
                unfinished.append(part[cut:])
                length += len(unfinished[-1])
                check_line_length(self.name, length)
            if length and not interrupted.is_set():
                last = b"".join(unfinished)
                if not any_newline:
                    check_line_ends(self.name, last)
                yield last + b"\n"

    def _stat(self) -> os.stat_result:
        try:
            return os.stat(self.path)
        except OSError as error:
            raise file_error(f"onebit: {self.path} cannot be read{self._near()}", error) from None

    def _near(self) -> str:
        """Return a hint at a file in the same folder whose name is nearly that of this one."""
        folder, name = os.path.split(self.path)
        try:
            return did_you_mean(name, os.listdir(folder or "."), alike=0.85)
        except OSError:
            return ""

    @contextmanager
    def _open_raw(self) -> Iterator[Any]:
        if self.path != "-":
            with open(self.path, "rb") as file:
                yield file
            return
        if any(read is sys.stdin for read in _read_before):
            raise BadFile("onebit: standard input can be read only once; give a file.")
        _read_before.append(sys.stdin)
        yield StdinReader(sys.stdin.buffer)

    def _decompressed(self, raw: Any) -> IO[bytes]:
        """Return a reader of the decompressed bytes; the first bytes of the file decide how."""
        start = raw.peek(4)
        for ending, magic in COMPRESSED.items():
            if start.startswith(magic):
                return _gzip_reader(raw) if ending == ".gz" else _zstd_reader(raw)
            if self.path.lower().endswith(ending) and start:
                raise BadFile(
                    f"onebit: {self.path} must be a {ending} file, by its name, got other bytes."
                )
        return raw  # type: ignore[no-any-return]


def check_line_length(name: str, length: int) -> None:
    """Raise BadInput if a line is longer than is accepted."""
    if length > LONGEST_LINE:
        raise BadFile(
            f"onebit: {name} must have lines of at most {LONGEST_LINE:,} bytes, got a longer one."
        )


def check_line_ends(name: str, whole: bytes) -> None:
    """Raise BadInput if a whole file has carriage returns in place of newlines."""
    if b"\n" not in whole and b"\r" in whole.rstrip(b"\r"):
        raise BadFile(
            f"onebit: {name} must have lines that end with a newline, got carriage returns alone."
        )


class _Utf16Reader:
    """A reader that turns UTF-16 with a byte order mark into UTF-8; `start` was read already."""

    def __init__(self, file: IO[bytes], start: bytes, name: str) -> None:
        self.file, self.start, self.name = file, start, name
        self.decoder = codecs.getincrementaldecoder("utf-16")()

    def read(self, size: int) -> bytes:
        """Return the next bytes as UTF-8, none at the end."""
        while part := self.start or self.file.read(size):
            self.start = b""
            if text := self._decoded(part, final=False):
                return text
        return self._decoded(b"", final=True)

    def _decoded(self, part: bytes, final: bool) -> bytes:
        try:
            return self.decoder.decode(part, final).encode()
        except UnicodeError:
            raise BadFile(
                f"onebit: {self.name} must be whole UTF-16 text, as its first bytes say, got other"
                " bytes."
            ) from None


def _gzip_reader(raw: Any) -> IO[bytes]:
    return gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]


def _zstd_reader(raw: Any) -> IO[bytes]:
    try:
        import zstandard
    except ImportError:
        raise BadFile(
            "onebit: .zst files need the extra zstd: pip install 'onebit[zstd]'."
        ) from None
    return _ZstdReader(raw, zstandard)  # type: ignore[return-value]


class _ZstdReader:
    """A reader of a sequence of zstandard frames that raises EOFError if the last is truncated."""

    def __init__(self, raw: Any, library: Any) -> None:
        self.raw, self.library = raw, library
        self.input, self.frame = b"", cast(Any, None)
        self.output = b""

    def read(self, size: int) -> bytes:
        """Return `size` bytes, fewer only at the end."""
        parts, length = [self.output], len(self.output)
        while length < size and (part := self._decompress_some()) is not None:
            parts.append(part)
            length += len(part)
        joined = b"".join(parts)
        self.output = joined[size:]
        return joined[:size]

    def _decompress_some(self) -> bytes | None:
        """Return some decompressed bytes, None at the end of the file."""
        self.input = self.input or self.raw.read(_ZSTD_CHUNK)
        if not self.input:
            if self.frame is not None:
                raise EOFError("it ends in the middle of a frame")
            return None
        if self.frame is None:
            self.frame = self.library.ZstdDecompressor().decompressobj()
        try:
            output: bytes = self.frame.decompress(self.input)
        except self.library.ZstdError as error:
            raise EOFError(str(error)) from None
        self.input = b""
        if self.frame.eof:
            self.input, self.frame = self.frame.unused_data, None
        return output


def _one_line(error: Exception) -> str:
    return str(error).strip().rstrip(".").replace("\n", " ")
