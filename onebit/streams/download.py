"""Fetching a file from the web into the user's cache: resumed where it stopped, and checked."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from onebit.errors import BadInput
from onebit.kernel.atomic import write_atomically

#: Bytes read at once, and seconds that the web may keep silent.
_CHUNK, _PATIENCE = 2**18, 60

Tell = Callable[[str], None]


class Remote(NamedTuple):
    """A file on the web; `sha256` is its published sum, or None if none is known."""

    name: str
    url: str
    sha256: str | None = None


def data_directory(name: str) -> Path:
    """Return the folder for a data set in the user's cache, which is made if need be."""
    from platformdirs import user_cache_path

    path = user_cache_path("onebit", appauthor=False) / "data" / name
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"onebit: the cache {path} cannot be written: {error.strerror}.") from None
    return path


def fetch(remote: Remote, folder: Path, tell: Tell) -> str:
    """See that a file is in the folder, whole and with the right sum; return its sum.

    What is there already is kept and the rest asked for. The right sum is the
    published one, else the one that was recorded when the file was first found sound.
    """
    path, known = folder / remote.name, known_sum(remote, folder)
    if path.exists():
        found = digest(path)
        if known is not None and found != known:
            raise BadInput(
                f"onebit: {path} must have the sha256 sum {known}, got {found};"
                " it was changed since it came, remove it to download it again."
            )
    else:
        part = folder / f"{remote.name}.part"
        download(remote, part, tell)
        found = digest(part)
        if known is not None and found != known:
            part.unlink()
            raise BadInput(
                f"onebit: {remote.url} must have the sha256 sum {known}, got {found};"
                " what came was removed, try again."
            )
        os.replace(part, path)
    return found


def record(remote: Remote, folder: Path, found: str) -> None:
    """Hold later loads of a file without a published sum to this one."""
    if known_sum(remote, folder) is None:
        with write_atomically(_record(remote, folder)) as file:
            file.write(f"{found}\n".encode())


def known_sum(remote: Remote, folder: Path) -> str | None:
    """Return the sum that a file must have, if one is known."""
    path = _record(remote, folder)
    return remote.sha256 or (path.read_text().strip() if path.exists() else None)


def download(remote: Remote, part: Path, tell: Tell) -> None:
    """Bring the part of a file that is not yet in `part`."""
    import http.client
    import urllib.error
    import urllib.request

    have = part.stat().st_size if part.exists() else 0
    asked = urllib.request.Request(remote.url, headers={"User-Agent": "onebit"})
    if have:
        asked.add_header("Range", f"bytes={have}-")
    try:
        with urllib.request.urlopen(asked, timeout=_PATIENCE) as answer:
            if answer.status != 206:
                have = 0  # the server sends all of it
            size = have + int(answer.headers.get("Content-Length", 0))
            with part.open("ab" if have else "wb") as file:
                while chunk := answer.read(_CHUNK):
                    file.write(chunk)
                    have += len(chunk)
                    tell(f"fetching {remote.name}: {share(have, size)}")
        if have < size:
            raise http.client.IncompleteRead(b"", size - have)
    except urllib.error.HTTPError as error:
        if error.code == 416 and have:  # all of it is there, or too much: the sum will tell
            return
        raise _cannot(remote, str(error)) from None
    except (OSError, http.client.HTTPException) as error:
        raise _cannot(remote, str(error)) from None


def digest(path: Path) -> str:
    """Return the sha256 sum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def share(have: int, size: int) -> str:
    """Say how much of a file is there."""
    return f"{have / 1e6:,.1f} MB" + (f" of {size / 1e6:,.1f} ({have / size:.0%})" if size else "")


def teller(every: float = 2.0) -> Tell:
    """Return something that tells a terminal how far it is, every few seconds; nobody if piped."""
    last = time.monotonic() - every

    def tell(text: str) -> None:
        nonlocal last
        if time.monotonic() - last >= every and sys.stderr.isatty():
            last = time.monotonic()
            print(f"onebit: {text}", file=sys.stderr, flush=True)

    return tell


def _record(remote: Remote, folder: Path) -> Path:
    return folder / f"{remote.name}.sha256"


def _cannot(remote: Remote, why: str) -> BadInput:
    return BadInput(
        f"onebit: {remote.url} cannot be downloaded ({why.rstrip('.')});"
        " what came is kept, and the same command goes on from there."
    )
