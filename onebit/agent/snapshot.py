"""Snapshots: an agent in one file, without executable content.

The file is an `.npz`: a zip of raw little-endian arrays, uncompressed, each with a checksum, and
a header in JSON. Of an array over features only the rows that differ from its first value are
written, if they are fewer than half. Nothing in a file is trusted: its members must be those of
the agent that the header describes, each of the right size, and every number is checked before
the agent is made.
"""

from __future__ import annotations

import errno
import io
import json
import math
import os
import stat
import zipfile
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from onebit.errors import BadFile, BadInput, DamagedSnapshot, file_error
from onebit.kernel.atomic import remove_leftovers, write_atomically
from onebit.kernel.features import WIDEST
from onebit.kernel.state import Array, Held, derive, is_sound, remembered
from onebit.naming.params import short_repr

FORMAT = 2
_HEADER = "onebit.json"
#: Of arrays over features, and of those with so many rows, only rows that changed are saved.
LONG = 1024
#: The header of a snapshot is at most this long, in bytes.
_LONGEST_HEADER = 1 << 28
#: Rounds, labels and lengths in a snapshot are below this.
_MOST = 1 << 62

Arrays = dict[str, Array]
#: How the versions of numpy's format write their header.
_HEADERS: Any = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def to_bytes(header: Mapping[str, Any], arrays: Arrays) -> bytes:
    """Return a snapshot."""
    text = json.dumps({"format": FORMAT, "onebit": version("onebit"), **header})
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        _put(archive, _HEADER, text.encode())
        for name, array in arrays.items():
            _put(archive, f"{name}.npy", array)
    return made.getvalue()


def write(target: Any, content: bytes) -> None:
    """Write a snapshot to a path, atomically, or to a binary file object."""
    if hasattr(target, "write"):
        try:
            _write_all(target, content)
        except OSError as error:
            raise file_error("Agent.save: the file cannot be written", error) from None
        except (TypeError, ValueError) as error:
            why = str(error).rstrip(".")
            raise BadFile(f"Agent.save: the file cannot be written: {why}.") from None
        return
    path = checked_path("Agent.save", target)
    try:
        remove_leftovers(path.parent)
        with write_atomically(path) as file:
            file.write(content)
    except OSError as error:
        raise file_error(f"Agent.save: {path} cannot be written", error) from None


def _write_all(file: Any, content: bytes) -> None:
    """Write to a file object, also to one that takes fewer bytes at a time; raise OSError."""
    while content:
        written = file.write(content)
        if written is None and not isinstance(file, io.RawIOBase):
            return  # it does not say how many, and so takes all
        if not written or written < 0:
            raise OSError(errno.EAGAIN, "it takes no more bytes now")
        content = content[written:]


def checked_path(who: str, target: Any) -> Path:
    """Return what a path leads to, through symbolic links."""
    try:
        if not os.fspath(target):
            raise TypeError
        return Path(os.path.realpath(os.fsdecode(target)))
    except (TypeError, ValueError):
        raise BadFile(
            f"{who}: it takes a path or a binary file object, got {short_repr(target)}."
        ) from None


def name_of(source: Any) -> str:
    """Return the name of a source of bytes for messages."""
    return "the file" if hasattr(source, "read") else str(source)


def open_source(source: Any) -> BinaryIO:
    """Return a file object for a path, or the file object itself."""
    if hasattr(source, "read"):
        try:
            content = source.read()
        except OSError as error:
            raise file_error("Agent.load: the file cannot be read", error) from None
        except Exception as error:  # such as what damaged compressed files raise
            why = str(error).rstrip(".")
            raise BadFile(f"Agent.load: the file cannot be read: {why}.") from None
        if not isinstance(content, bytes | bytearray):
            raise BadFile("Agent.load: a file object must be opened for binary reading.")
        return io.BytesIO(content)
    path = checked_path("Agent.load", source)
    try:
        mode = path.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # open refuses a directory itself
            raise OSError(errno.EINVAL, "it is not a regular file")
        return open(path, "rb")
    except OSError as error:
        raise file_error(f"Agent.load: {source} cannot be read", error) from None


class Snapshot:
    """An opened snapshot: its header, checked, and its arrays, read when asked for."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.name = name
        try:
            self._archive = zipfile.ZipFile(file)
            self.size = file.seek(0, os.SEEK_END)
            members = self._archive.infolist()
            self._members = {info.filename: info for info in members}
            if _HEADER not in self._members:
                raise DamagedSnapshot(f"Agent.load: {name} is not a snapshot of onebit.")
            if not self._sizes_are_sound(members):
                raise self.damaged()
            self.header = self._checked(json.loads(self._archive.read(_HEADER)))
        except BadInput:
            raise
        except OSError as error:
            raise file_error(f"Agent.load: {name} cannot be read", error) from None
        except Exception:  # whatever numpy or zipfile raise for bytes that are no array
            raise self.damaged() from None

    def damaged(self) -> DamagedSnapshot:
        """Return the error for a file that is not whole."""
        return DamagedSnapshot(f"Agent.load: {self.name} is damaged or not a snapshot of onebit.")

    def _sizes_are_sound(self, members: list[zipfile.ZipInfo]) -> bool:
        """Return whether members are uncompressed, and together no longer than the file."""
        stored = all(
            info.compress_type == zipfile.ZIP_STORED and info.file_size == info.compress_size
            for info in members
        )
        whole = sum(info.file_size for info in members) <= self.size
        short = self._members[_HEADER].file_size <= _LONGEST_HEADER
        return stored and whole and short and len(self._members) == len(members)

    def _checked(self, header: Any) -> Any:
        """Return the header if every field has the type and range that `Agent.save` writes."""
        if not isinstance(header, dict) or not _is_whole(header.get("format"), 1):
            raise self.damaged()
        if header["format"] != FORMAT:
            raise DamagedSnapshot(
                f"Agent.load: {self.name} has format {header['format']} of onebit"
                f" {header.get('onebit')}; this version reads format {FORMAT}."
            )
        widths, columns = (header["features"], header["raw_features"]), header["columns"]
        sound = (
            isinstance(header["learner"], str)
            and isinstance(header["agent"], str)
            and len(header["agent"]) == 16
            and isinstance(header["labels"], list)
            and all(width is None or (_is_whole(width, 1) and width <= WIDEST) for width in widths)
            and all(_is_whole(header[name]) for name in ("round", "open", "forgotten"))
            and _is_whole(header.get("begun", 0))
            and header.get("begun", 0) < len(header["labels"])
            and isinstance(header["seed"], int)
            and isinstance(header.get("named"), bool | None)
            and isinstance(header.get("scale", False), bool)
            and isinstance(header.get("replay", True), bool)
            and _is_whole(header.get("replay_since", 0))
            and all(isinstance(each, list) and len(each) == 3 for each in columns)
            and all(_is_whole(abs(part)) for each in columns for part in each)
            and all(_is_whole(k) and k < len(header["labels"]) for k in header["retired"])
        )
        if not sound:
            raise self.damaged()
        return header

    def array(self, name: str, dtype: Any, shape: tuple[int, ...] | None = None) -> Array:
        """Return an array of this type and shape (any length in one dimension, if None)."""
        info = self._members.get(f"{name}.npy")
        if info is None:
            raise self.damaged()
        try:
            with self._archive.open(info) as member:
                read = _HEADERS[np.lib.format.read_magic(member)]
                found, fortran, stored = read(member, max_header_size=4096)
                native = np.dtype(dtype)
                fits = stored.newbyteorder("=") == native and not fortran
                fits = fits and (len(found) == 1 if shape is None else found == shape)
                if not fits or math.prod(found) * native.itemsize != info.file_size - member.tell():
                    raise self.damaged()
                content = np.frombuffer(member.read(), stored)
        except MemoryError:
            raise
        except Exception:  # whatever numpy or zipfile raise for bytes that are no array
            raise self.damaged() from None
        return content.reshape(found).astype(native)

    def has(self, name: str) -> bool:
        """Return whether there is an array of this name."""
        return f"{name}.npy" in self._members

    def check_members(self, arrays: set[str]) -> None:
        """Raise DamagedSnapshot if there is a member that no agent of this kind has."""
        if not set(self._members) <= {_HEADER, *(f"{name}.npy" for name in arrays)}:
            raise self.damaged()


def state_arrays(prefix: str, state: Any, replay: bool = True) -> Arrays:
    """Return the remembered arrays of a state by name; of those over features what was touched.

    Without `replay`, those that a snapshot may leave out are left out.
    """
    found: Arrays = {}
    for path, held in remembered(state, optional=replay).items():
        if not held.array.size:
            continue
        name = f"{prefix}.{path}"
        touched = _touched(held)
        if touched is None:
            found[name] = held.array
        else:
            found[f"{name}@rows"] = touched
            found[f"{name}@values"] = held.array[touched]
    return found


def _touched(held: Held) -> Array | None:
    """Return the rows whose values differ from their first in any bit; None if too many do."""
    long = held.axes.axes[:1] == ("features",) or len(held.array) >= LONG
    if not long or held.array.dtype == np.bool_:
        return None
    flat = held.array.reshape(len(held.array), -1)
    first = np.array(held.axes.first, flat.dtype)
    bits = f"u{flat.dtype.itemsize}"
    touched = np.flatnonzero((flat.view(bits) != first.view(bits)).any(axis=1))
    return touched if 2 * len(touched) < len(flat) else None


def fill(snapshot: Snapshot, prefix: str, state: Any, replay: bool = True) -> set[str]:
    """Copy saved arrays into a fresh state, and derive the rest; return the names that were read.

    Raises
    ------
    DamagedSnapshot
        If an array is missing, has another shape or type, or values that are out of range.
    """
    used: set[str] = set()
    for path, held in remembered(state, optional=replay).items():
        name = f"{prefix}.{path}"
        array = held.array
        if not array.size:
            continue
        if snapshot.has(f"{name}@rows"):
            rows = snapshot.array(f"{name}@rows", np.int64)
            values = snapshot.array(f"{name}@values", array.dtype, (len(rows), *array.shape[1:]))
            ascending = bool((np.diff(rows) > 0).all())
            if len(rows) and not (ascending and rows[0] >= 0 and rows[-1] < len(array)):
                raise snapshot.damaged()
            if held.axes.first or array.any():  # pages of zeros take no memory until written
                array[...] = held.axes.first
            array[rows] = values
            used |= {f"{name}@rows", f"{name}@values"}
        else:
            array[...] = snapshot.array(name, array.dtype, array.shape)
            used.add(name)
    if not is_sound(state):
        raise snapshot.damaged()
    derive(state)
    return used


def _is_whole(value: Any, least: int = 0) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value < _MOST


def _put(archive: zipfile.ZipFile, name: str, content: bytes | Array) -> None:
    """Write one member, with a fixed date, so that equal agents make equal files."""
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    with archive.open(info, "w", force_zip64=True) as member:
        if isinstance(content, bytes):
            member.write(content)
        else:
            little = content.astype(content.dtype.newbyteorder("<"), copy=False)
            np.lib.format.write_array(member, little, allow_pickle=False)
