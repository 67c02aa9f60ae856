"""Downloading a file into the user's cache: resumed where it stopped, checked by its sha256 sum."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from onebit.errors import BadFile, BadInput, file_error
from onebit.kernel.atomic import write_atomically

#: Bytes read at once, and seconds to wait for a response.
_CHUNK, _TIMEOUT = 2**18, 60

#: Called with a text that says how far a long task is.
Progress = Callable[[str], None]


class Remote(NamedTuple):
    """A file on the web; `sha256` is its published sum, None if there is none."""

    name: str
    url: str
    sha256: str | None = None


def data_directory(name: str) -> Path:
    """Return the folder for a data set in the user's cache; create it if it does not exist."""
    from platformdirs import user_cache_path

    path = user_cache_path("onebit", appauthor=False) / "data" / name
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise file_error(f"onebit: the cache {path} cannot be written", error) from None
    return path


def fetch(remote: Remote, folder: Path, progress: Progress) -> str:
    """Download a file into the folder unless it is there, check its sum, and return its sum.

    A partial download is resumed. The sum must be the published one, else the one that was
    recorded when the file was first converted.
    """
    path, known = folder / remote.name, known_checksum(remote, folder)
    if path.exists():
        found = sha256_of(path)
        if known is not None and found != known:
            raise BadFile(
                f"onebit: {path} must have the sha256 sum {known}, got {found};"
                " it was changed since it came, remove it to download it again."
            )
    else:
        part = folder / f"{remote.name}.part"
        download(remote, part, progress)
        found = sha256_of(part)
        if known is not None and found != known:
            part.unlink()
            raise BadFile(
                f"onebit: {remote.url} must have the sha256 sum {known}, got {found};"
                " what came was removed, try again."
            )
        os.replace(part, path)
    return found


def record_checksum(remote: Remote, folder: Path, found: str) -> None:
    """Record the sum of a file without a published one; later loads are checked against it."""
    if known_checksum(remote, folder) is None:
        with write_atomically(_checksum_file(remote, folder)) as file:
            file.write(f"{found}\n".encode())


def known_checksum(remote: Remote, folder: Path) -> str | None:
    """Return the sum that a file must have, None if it is not known."""
    path = _checksum_file(remote, folder)
    return remote.sha256 or (path.read_text().strip() if path.exists() else None)


def download(remote: Remote, part: Path, progress: Progress) -> None:
    """Download what is missing of a file to the end of `part`."""
    import http.client
    import urllib.error
    import urllib.request

    received = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(remote.url, headers={"User-Agent": "onebit"})
    if received:
        request.add_header("Range", f"bytes={received}-")
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as response:
            if response.status != 206:
                received = 0  # the server does not resume: it sends the whole file
            size = received + int(response.headers.get("Content-Length", 0))
            with part.open("ab" if received else "wb") as file:
                while chunk := response.read(_CHUNK):
                    file.write(chunk)
                    received += len(chunk)
                    progress(f"fetching {remote.name}: {progress_text(received, size)}")
        if received < size:
            raise http.client.IncompleteRead(b"", size - received)
    except urllib.error.HTTPError as error:
        error.close()  # it holds the connection
        if error.code == 416 and received:  # nothing is missing; the sum will show if it is right
            return
        raise _download_error(remote, str(error)) from None
    except (OSError, http.client.HTTPException) as error:
        raise _download_error(remote, str(error)) from None


def size_of(remote: Remote) -> int:
    """Return the bytes of a file as its server states them, 0 if it does not."""
    import http.client
    import urllib.error
    import urllib.request

    request = urllib.request.Request(remote.url, headers={"User-Agent": "onebit"})
    try:  # not by HEAD, which signed addresses refuse
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as response:
            return int(response.headers.get("Content-Length", 0))
    except (OSError, http.client.HTTPException) as error:
        if isinstance(error, urllib.error.HTTPError):
            error.close()  # it holds the connection
        raise _download_error(remote, str(error)) from None


def sha256_of(path: Path) -> str:
    """Return the sha256 sum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def progress_text(have: int, size: int) -> str:
    """Return how much of a file is downloaded, as text."""
    return f"{have / 1e6:,.1f} MB" + (f" of {size / 1e6:,.1f} ({have / size:.0%})" if size else "")


def terminal_progress(every: float = 2.0) -> Progress:
    """Return a callback that prints progress on stderr every few seconds, if it is a terminal."""
    last = time.monotonic() - every

    def progress(text: str) -> None:
        nonlocal last
        if time.monotonic() - last >= every and sys.stderr.isatty():
            last = time.monotonic()
            print(f"onebit: {text}", file=sys.stderr, flush=True)

    return progress


def _checksum_file(remote: Remote, folder: Path) -> Path:
    return folder / f"{remote.name}.sha256"


def _download_error(remote: Remote, why: str) -> BadInput:
    return BadFile(
        f"onebit: {remote.url} cannot be downloaded ({why.rstrip('.')});"
        " what came is kept, and the same command goes on from there."
    )
