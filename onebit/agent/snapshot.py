"""Snapshots: an agent in one file that anything can open and nothing can execute.

The file is an `.npz`: a zip of raw little-endian arrays, each with a checksum,
and a header in JSON. It is written under another name, flushed to the disk
and renamed, so that a crash leaves the old file or the new one, never a half.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Mapping
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from onebit.errors import BadInput
from onebit.kernel.round import Played
from onebit.kernel.rows import Dense, Row, Sparse, row_fits
from onebit.kernel.state import Sizes, kept
from onebit.naming.params import short_repr

FORMAT = 1
_HEADER = "onebit.json"

Arrays = dict[str, np.ndarray[Any, np.dtype[Any]]]
Waiting = dict[int, tuple[Row, Played]]


def write(path: str | PathLike[str], header: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a snapshot so that `path` is always a whole one, the old or the new."""
    path = Path(path)
    text = json.dumps({"format": FORMAT, "onebit": version("onebit"), **_pack_labels(header)})
    half = path.with_name(f".{path.name}.{os.getpid()}.half")
    try:
        with open(half, "wb") as file:
            with zipfile.ZipFile(file, "w") as archive:
                _put(archive, _HEADER, text.encode())
                for name, array in arrays.items():
                    _put(archive, f"{name}.npy", array)
            file.flush()
            os.fsync(file.fileno())
        os.replace(half, path)
    except OSError as error:
        raise BadInput(f"Agent.save: {path} cannot be written: {error.strerror}.") from None
    finally:
        half.unlink(missing_ok=True)
    _sync_directory(path.parent)


def read(path: str | PathLike[str]) -> tuple[dict[str, Any], Arrays]:
    """Read a snapshot's header and arrays, or raise the sentence that says what is wrong."""
    try:
        with zipfile.ZipFile(path) as archive:
            if _HEADER not in archive.namelist():
                raise BadInput(f"Agent.load: {path} is not a snapshot of onebit.")
            header = json.loads(archive.read(_HEADER))
            if header["format"] > FORMAT:
                raise BadInput(
                    f"Agent.load: {path} has format {header['format']} of onebit"
                    f" {header['onebit']}; this version reads formats up to {FORMAT}."
                )
            arrays = {
                name.removesuffix(".npy"): _array(archive.read(name))
                for name in archive.namelist()
                if name != _HEADER
            }
            if not _is_sound(header):
                raise damaged(path)
            return _unpack_labels(header), arrays
    except OSError as error:
        raise BadInput(f"Agent.load: {path} cannot be read: {error.strerror}.") from None
    except BadInput:
        raise
    except Exception:  # whatever foreign bytes make the readers say, it means the same
        raise damaged(path) from None


def _is_sound(header: Mapping[str, Any]) -> bool:
    """Say whether the fields that nothing else checks are what `Agent.save` writes."""
    number, agent = header["round"], header["agent"]
    columns = [part for column in header.get("columns", ()) for part in (*column, len(column))]
    whole = all(isinstance(part, int) and part >= 0 for part in (number, *columns))
    return whole and set(columns[3::4]) <= {3} and isinstance(agent, str) and len(agent) == 16


def damaged(path: str | PathLike[str]) -> BadInput:
    """Return the error for a file that is not whole."""
    return BadInput(f"Agent.load: {path} is damaged or not a snapshot of onebit.")


def arrays_of(state: Any) -> Arrays:
    """Return the arrays of a learner's state by name."""
    return {f"learner.{name}": array for name, array in kept(state).items()}


def fill(path: str | PathLike[str], state: Any, arrays: Arrays) -> None:
    """Copy saved arrays into a fresh state of the same shape."""
    for name, into in arrays_of(state).items():
        saved = arrays.get(name)
        if saved is None or saved.shape != into.shape or saved.dtype != into.dtype:
            raise damaged(path)
        into[...] = saved


def pack_waiting(waiting: Waiting) -> Arrays:
    """Return open decisions as a few long arrays."""
    rows = [row for row, _ in waiting.values()]
    played = [played for _, played in waiting.values()]
    indices = [row.indices if isinstance(row, Sparse) else row.values[:0] for row in rows]
    return {
        "open.rounds": np.array(list(waiting), np.int64),
        "open.greedy": np.array([p.greedy for p in played], np.int32),
        "open.label": np.array([p.label for p in played], np.int32),
        "open.prob": np.array([p.prob for p in played], np.float64),
        "open.sparse": np.array([isinstance(row, Sparse) for row in rows], np.bool_),
        "open.lengths": np.array([len(row.values) for row in rows], np.int64),
        "open.indices": np.concatenate([*indices, []]).astype(np.int32),
        "open.values": np.concatenate([*(row.values for row in rows), []]),
    }


def unpack_waiting(path: str | PathLike[str], arrays: Arrays, sizes: Sizes) -> Waiting:
    """Return the open decisions that `pack_waiting` packed, fit for the kernels."""
    waiting: Waiting = {}
    at = index = 0
    try:
        values, indices = arrays["open.values"], arrays["open.indices"]
        for n, number in enumerate(arrays["open.rounds"].tolist()):
            stop = at + int(arrays["open.lengths"][n])
            row: Row = Dense(values[at:stop].astype(np.float64))
            if arrays["open.sparse"][n]:
                columns = indices[index : index + stop - at].astype(np.int32)
                row = Sparse(columns, row.values)
                index += stop - at
            greedy, label = int(arrays["open.greedy"][n]), int(arrays["open.label"][n])
            if not (row_fits(row, sizes.features) and max(greedy, label) < sizes.labels):
                raise damaged(path)
            waiting[number] = row, Played(greedy, label, float(arrays["open.prob"][n]))
            at = stop
    except (KeyError, IndexError):
        raise damaged(path) from None
    return waiting


def _put(archive: zipfile.ZipFile, name: str, content: bytes | np.ndarray[Any, Any]) -> None:
    """Write one member, with a fixed date, so that equal agents make equal files."""
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    with archive.open(info, "w", force_zip64=True) as member:
        if isinstance(content, bytes):
            member.write(content)
        else:
            little = content.astype(content.dtype.newbyteorder("<"), copy=False)
            np.lib.format.write_array(member, little, allow_pickle=False)


def _array(content: bytes) -> np.ndarray[Any, np.dtype[Any]]:
    array = np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
    return np.ascontiguousarray(array, array.dtype.newbyteorder("="))


def _sync_directory(path: Path) -> None:
    """Make a rename last, where the system lets a directory be synced."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def _pack_labels(header: Mapping[str, Any]) -> dict[str, Any]:
    return {**header, "labels": [_pack_label(label) for label in header["labels"]]}


def _unpack_labels(header: dict[str, Any]) -> dict[str, Any]:
    return {**header, "labels": [_unpack_label(label) for label in header["labels"]]}


def _pack_label(label: Any) -> Any:
    """Return a label as JSON: tuples as lists, which cannot be labels themselves."""
    if isinstance(label, tuple):
        return [_pack_label(part) for part in label]
    if label is None or isinstance(label, (str, int, float)):
        return label
    if isinstance(label, np.generic):
        return label.item()
    raise BadInput(
        "Agent.save: labels must be strings, numbers, None or tuples of these"
        f" to be saved, got {short_repr(label)}."
    )


def _unpack_label(label: Any) -> Any:
    return tuple(map(_unpack_label, label)) if isinstance(label, list) else label
