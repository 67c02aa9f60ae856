"""Figures that are drawn once: again only if their files would not be the same.

Beside the kept trials is a record of each figure: a digest of what it was drawn from, and the
checksums of its files. What it was drawn from is its data, the sources of onebit, the libraries
that draw, and matplotlib's settings.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

from onebit.errors import BadInput
from onebit.experiment.report.canvas import NO_MATPLOTLIB
from onebit.kernel.atomic import write_atomically
from onebit.kernel.cache import COMPILED, source_digest

#: Folders of the package whose sources figures depend on.
FIGURE_SOURCES = (*COMPILED, "agent", "experiment")
#: Distributions that draw, beside those that compute.
LIBRARIES = ("matplotlib", "contourpy", "pillow")


def draw_once(
    path: Path, data: Sequence[object], draw: Callable[[], list[Path]], records: Path
) -> list[Path]:
    """Return the files of a figure, which are drawn unless they are what would be drawn.

    Parameters
    ----------
    path
        The figure, without an ending.
    data
        All that it shows, as what JSON can hold, and paths, which count by their names.
    draw
        Draws it and returns its files, which are beside `path`.
    records
        The directory of the record.

    Raises
    ------
    BadInput
        If matplotlib is not installed.

    """
    record = records / f"{path.name}-figure.json"
    digest = _digest(path.name, data)
    kept = _files(record, digest, path.parent)
    if kept:
        return kept
    files = draw()
    content = {"drawn_from": digest, "files": {file.name: _checksum(file) for file in files}}
    with write_atomically(record) as out:
        out.write(json.dumps(content).encode())
    return files


def _files(record: Path, digest: str, directory: Path) -> list[Path]:
    """Return the files of a record if they were drawn from that and are as they were, else none."""
    try:
        found = json.loads(record.read_bytes())
        files = {directory / name: checksum for name, checksum in found["files"].items()}
        same = found["drawn_from"] == digest and all(
            _checksum(file) == checksum for file, checksum in files.items()
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []
    return list(files) if same else []


def _digest(name: str, data: Sequence[object]) -> str:
    """Return a digest of all that a figure depends on."""
    text = json.dumps([name, data, *_style()], default=_name)
    return hashlib.sha256(text.encode()).hexdigest()


def _name(path: Path) -> str:
    return path.name


def _style() -> list[object]:
    """Return what decides how any data is drawn: sources, libraries and matplotlib's settings."""
    try:
        from matplotlib import rcParams
    except ImportError:
        raise BadInput(NO_MATPLOTLIB) from None
    # the backend is not used, and looking it up would start one
    settings = {name: repr(rcParams[name]) for name in rcParams if name != "backend"}
    return [source_digest(FIGURE_SOURCES), _versions(), settings]


@functools.cache
def _versions() -> tuple[str, ...]:
    return tuple(f"{name} {version(name)}" for name in LIBRARIES)


def _checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
