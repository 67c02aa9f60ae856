"""Where compiled code is kept between runs, and when it is thrown away.

numba's disk cache stamps only the file of the function that is called, so a
change in a learner would go unseen by the loop that calls it. Here the cache
directory itself is named after the sources of every file that can hold a
kernel: another source, another directory. A directory that cannot be written
costs the time of compiling again, and nothing else.
"""

from __future__ import annotations

import functools
import hashlib
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: Files and folders of the package whose code may be compiled.
_ROOMS = ("verbs.py", "rows.py", "block.py", "chance.py", "round.py", "engine.py", "comparator.py",
          "boosting.py", "hedge.py", "versions.py", "gauss.py",
          "learners", "explorers", "weak", "hypotheses", "streams")  # fmt: skip


def kernel_digest() -> str:
    """Return a digest of all sources that compiled code is made of, and of the data beside them."""
    return room_digest(_ROOMS)


@functools.cache
def room_digest(rooms: tuple[str, ...]) -> str:
    """Return a digest of some files and folders of the package."""
    package = Path(__file__).parent
    digest = hashlib.sha256()
    for room in rooms:
        path = package / room
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.is_file() and file.parent.name != "__pycache__":
                digest.update(file.relative_to(package).as_posix().encode() + b"\0")
                digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


def source_digest(kind: type) -> str:
    """Return a digest of the file of a class from another package; "" for our own."""
    if kind.__module__.partition(".")[0] == "onebit":
        return ""
    file = getattr(sys.modules[kind.__module__], "__file__", None)
    return hashlib.sha256(Path(file).read_bytes()).hexdigest() if file else "unknown"


@functools.cache
def cache_directory() -> Path | None:
    """Return the directory for compiled code, or None if it cannot be written."""
    from platformdirs import user_cache_path

    path = user_cache_path("onebit", appauthor=False) / kernel_digest()
    try:
        path.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=path).close()
    except OSError:
        return None
    return path


def compile_cached(jit: Callable[[Any], Any], body: Callable[..., Any]) -> Any:
    """Apply numba's `jit` to `body`, with the disk cache in our directory."""
    import numba

    dispatcher = jit(body)
    path = cache_directory()
    if path is not None:
        config: Any = numba.config
        before, config.CACHE_DIR = config.CACHE_DIR, str(path)
        try:
            dispatcher.enable_caching()
        finally:
            config.CACHE_DIR = before
    return dispatcher
