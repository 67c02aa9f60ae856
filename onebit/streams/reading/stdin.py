"""Reading standard input so that Ctrl-C ends the wait for more."""

from __future__ import annotations

import io
import os
import select
import threading
from typing import Any

#: Set on Ctrl-C: whatever reads a file, waits for standard input or plays trials ends.
interrupted = threading.Event()

#: Seconds between checks of `interrupted`.
_POLL_SECONDS = 0.2


class StdinReader:
    """A reader of a file, such as a pipe, on which more may never arrive."""

    def __init__(self, file: Any) -> None:
        self.file = file
        self.buffered = b""
        try:
            self.descriptor = file.fileno()
        except (AttributeError, io.UnsupportedOperation):
            self.descriptor = None

    def peek(self, size: int) -> bytes:
        """Return the next bytes without consuming them; fewer than `size` only at the end."""
        self.buffered = self.read(size)
        return self.buffered

    def read(self, size: int) -> bytes:
        """Return `size` bytes, fewer only at the end or when interrupted."""
        parts, length = [self.buffered], len(self.buffered)
        while length < size and (part := self._read_some(size - length)):
            parts.append(part)
            length += len(part)
        self.buffered = b""
        return b"".join(parts)

    def _read_some(self, size: int) -> bytes:
        if self.descriptor is None:
            return self.file.read(size)  # type: ignore[no-any-return]
        while not interrupted.is_set():
            try:
                ready = select.select([self.descriptor], [], [], _POLL_SECONDS)[0]
            except OSError:  # this system cannot wait for this kind of file
                ready = [self.descriptor]
            if ready:
                return os.read(self.descriptor, size)
        return b""
