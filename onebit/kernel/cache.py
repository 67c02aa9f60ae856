"""Where compiled code is kept between runs, and what invalidates it.

numba's disk cache stamps only the file of the function that is called, so it would miss a
change in a learner that the loop calls. Here the cache directory itself is named after a
digest of every source file that is compiled or whose constants are compiled in, and of the
versions of the libraries: another source, another directory. Without a directory that can be
written, code is compiled in every process.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import platform
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from onebit.kernel import machine_code
from onebit.kernel.compiling import compile_quickly
from onebit.kernel.file_lock import FileLock

#: Folders of the package that hold kernels, or constants and declarations that kernels use.
COMPILED = ("errors.py", "naming", "kernel", "theory", "explorers", "learners", "streams")
#: Distributions whose version can change a result or compiled code.
LIBRARIES = ("numpy", "numba", "llvmlite", "mmh3", "pyarrow")


def kernel_digest() -> str:
    """Return a digest of the sources that compiled code is made of, and of the libraries."""
    return source_digest(COMPILED)


@functools.cache
def source_digest(folders: tuple[str, ...]) -> str:
    """Return a digest of the files in some folders of the package, and of the libraries."""
    package = Path(__file__).parents[1]
    digest = hashlib.sha256("\n".join(environment()).encode())
    for folder in folders:
        path = package / folder
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.is_file() and file.parent.name != "__pycache__":
                digest.update(file.relative_to(package).as_posix().encode() + b"\0")
                digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


@functools.cache
def environment() -> tuple[str, ...]:
    """Return the versions of Python, the C library and every library that results depend on."""
    return (
        platform.python_version(),
        sys.platform,
        platform.machine(),
        " ".join(platform.libc_ver()),
        *(f"{name} {_version(name)}" for name in LIBRARIES),
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


def plugin_digest(kind: type) -> str:
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


def compile_cached(
    jit: Callable[[Any], Any], body: Callable[..., Any], before_compiling: Callable[[], object]
) -> Any:
    """Apply numba's `jit` to `body`, with the disk cache in our directory."""
    import numba

    dispatcher = jit(body)
    compile_quickly(dispatcher)
    path = cache_directory()
    if path is not None:
        config: Any = numba.config
        before, config.CACHE_DIR = config.CACHE_DIR, str(path)
        try:
            dispatcher._cache = _quick_cache()(body, before_compiling, path)
        finally:
            config.CACHE_DIR = before
    return dispatcher


@functools.cache
def _quick_cache() -> Any:
    """Return the class of numba's disk cache, without what only compiling needs.

    numba imports and registers all that it can compile before it looks for code on the disk, which
    takes as long as everything else at the start of a program; code that is there needs none of it.
    """
    from numba.core.caching import FunctionCache

    class QuickCache(FunctionCache):
        def __init__(
            self,
            body: Callable[..., Any],
            before_compiling: Callable[[], object],
            directory: Path,
        ) -> None:
            super().__init__(body)  # type: ignore[no-untyped-call]
            self._before_compiling = before_compiling
            self._directory = directory
            self._name = f"{body.__module__}.{body.__qualname__}"
            self._compiling, self._saving = FileLock(directory), FileLock(directory)

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            found = self._find(sig, target_context)
            if found is None:
                self._compiling.acquire(f"{self._name} {sig}")
                found = self._find(sig, target_context)  # what another process compiled
                if found is None:
                    self._before_compiling()
                else:
                    self._compiling.release()
            return found

        def _find(self, sig: Any, target_context: Any) -> Any:
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]

        def save_overload(self, sig: Any, data: Any) -> None:
            self._saving.acquire(self._name)  # numba reads, extends and writes a list of files
            try:
                super().save_overload(sig, data)  # type: ignore[no-untyped-call]
            finally:
                self._saving.release()
            with contextlib.suppress(OSError, AttributeError):  # of another numba
                machine_code.save(self._directory, self._py_func, data)
            self._compiling.release()

    return QuickCache
