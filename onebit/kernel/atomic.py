"""Writing files atomically: after a crash a file is the old or the new one, whole."""

from __future__ import annotations

import contextlib
import errno
import os
import platform
import re
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

__all__ = ["remove_leftovers", "write_atomically"]

#: Temporary files are named after the machine and the process that write them.
_MACHINE = f"{zlib.crc32(platform.node().encode()):08x}"
_TEMPORARY = re.compile(rf"\..*\.{_MACHINE}-(\d+)-\d+\.tmp")


@contextlib.contextmanager
def write_atomically(path: Path) -> Iterator[BinaryIO]:
    """Open a temporary file beside `path` for writing; it replaces `path` when the block ends.

    The bytes are on the disk before the file gets its name. If the block raises, the temporary
    file is removed and `path` stays as it was. A symbolic link stays, what it leads to is replaced.

    Parameters
    ----------
    path : Path
        The file to write or replace; its directory must exist.

    Yields
    ------
    BinaryIO
        The temporary file; its name is different in every process and thread.

    Raises
    ------
    OSError
        If the file cannot be written or renamed, or `path` is something other than a regular
        file, such as a device.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "data.bin"
    >>> with write_atomically(path) as file:
    ...     file.write(b"all or nothing")
    14
    >>> path.read_bytes()
    b'all or nothing'
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    short = os.fsencode(path.name)[:80].decode(errors="ignore")  # file systems count bytes
    temporary = path.with_name(f".{short}.{_MACHINE}-{os.getpid()}-{threading.get_ident()}.tmp")
    try:
        with open(temporary, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_directory(path.parent)


def remove_leftovers(directory: Path) -> None:
    """Remove the temporary files of processes of this machine that were killed while they wrote.

    Parameters
    ----------
    directory : Path
        Where `write_atomically` has written; nothing happens if it cannot be listed.
    """
    with contextlib.suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            found = _TEMPORARY.fullmatch(entry.name)
            if found and not _is_running(int(found[1])):
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)


def _is_running(process: int) -> bool:
    """Return whether there may be a process of this number."""
    if os.name != "posix":  # where os.kill would end it
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _sync_directory(directory: Path) -> None:
    """Write the new name of a file to the disk, on systems that can."""
    with contextlib.suppress(OSError):
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
