"""Standard input, read so that Ctrl-C ends it though nothing more arrives."""

from __future__ import annotations

import io
import os
import select
import threading
from typing import Any

#: Set when the user interrupts: whoever waits for standard input stops waiting.
interrupted = threading.Event()

#: Seconds between looks at the above.
_PATIENCE = 0.2


class Live:
    """A reader of a file that may never end."""

    def __init__(self, file: Any) -> None:
        self.file = file
        self.held = b""
        try:
            self.number = file.fileno()
        except (AttributeError, io.UnsupportedOperation):
            self.number = None

    def peek(self, size: int) -> bytes:
        """Return the next bytes without taking them; fewer only at the end."""
        self.held = self.read(size)
        return self.held

    def read(self, size: int) -> bytes:
        """Return so many bytes, fewer only at the end or when interrupted."""
        parts, length = [self.held], len(self.held)
        while length < size and (part := self._more(size - length)):
            parts.append(part)
            length += len(part)
        self.held = b""
        return b"".join(parts)

    def _more(self, size: int) -> bytes:
        if self.number is None:
            return self.file.read(size)  # type: ignore[no-any-return]
        while not interrupted.is_set():
            try:
                ready = select.select([self.number], [], [], _PATIENCE)[0]
            except OSError:  # a system that cannot wait for this kind of file
                ready = [self.number]
            if ready:
                return os.read(self.number, size)
        return b""
