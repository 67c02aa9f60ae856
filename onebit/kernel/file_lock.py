"""Locks between processes that compile: one compiles a signature, others wait and load its code."""

from __future__ import annotations

import contextlib
import hashlib
import time
from pathlib import Path
from typing import IO

from onebit.kernel.compiling import told_if_long

try:
    import fcntl
except ImportError:  # where files are locked otherwise, every process compiles
    fcntl = None  # type: ignore[assignment]

#: Seconds that another process may take; then this one goes on without the lock.
PATIENCE = 120.0
#: Seconds between two tries.
_PAUSE = 0.05


class FileLock:
    """A lock on a name, held in an empty file that is unlocked when its process ends."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._file: IO[bytes] | None = None

    def acquire(self, name: str) -> None:
        """Wait until no other process holds the name; what was held before is released."""
        self.release()
        if fcntl is None:
            return
        digest = hashlib.sha256(name.encode()).hexdigest()[:32]
        with contextlib.suppress(OSError):
            self._file = (self._directory / f"{digest}.lock").open("ab")
        if self._file is None or self._try():
            return
        with told_if_long():
            until = time.monotonic() + PATIENCE
            while not self._try() and time.monotonic() < until:
                time.sleep(_PAUSE)

    def _try(self) -> bool:
        assert self._file is not None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def release(self) -> None:
        """Let another process hold the name."""
        if self._file is not None:
            self._file.close()
            self._file = None
