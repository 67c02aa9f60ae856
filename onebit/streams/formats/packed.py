"""packed: onebit's own binary form, mapped into memory and read at its speed.

The file begins with 32 bytes: a mark, the version, the checksum of the
contents, and where they are. Then come the blocks, each as raw little-endian
arrays (starts, indices, values, labels), then the contents: a JSON object with
the labels, the width, and where each block is. A checksum over all blocks
is among them, and is checked before the first row is played.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import threading
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from onebit.errors import BadInput
from onebit.kernel.atomic import write_atomically
from onebit.kernel.block import Block, Single, noiseless_block
from onebit.kernel.rows import Ints, SparseRows, as_sparse
from onebit.kernel.state import Column
from onebit.kernel.verbs import entry
from onebit.streams import Stream
from onebit.streams.formats import file_format
from onebit.streams.reading.bad_lines import tell
from onebit.streams.reading.batch import no_rows
from onebit.streams.reading.source import Source

VERSION = 1
MARK = b"\x89onebit\n"
#: Mark, version, checksum of the contents, where they are, how long they are.
_HEAD = struct.Struct("<8sIIQQ")
#: Arrays begin at multiples of this, and are read this many bytes at a time for the checksum.
_ALIGN, _PIECE = 64, 1 << 20
_ARRAYS = (("<i8", np.int64), ("<i4", np.int32), ("<f8", np.float64), ("<i4", np.int32))

_checked: set[tuple[Any, ...]] = set()
_lock = threading.Lock()


@file_format(".onebit", packed=True)
class Packed(NamedTuple):
    """A file that `onebit pack` wrote: rows and labels as raw arrays, with a checksum."""

    def open(self, source: Source) -> Stream:
        """Check the file and return its rows."""
        if not source.repeatable:
            raise BadInput("onebit: a packed file must lie on the disk, got a pipe.")
        contents = _contents(source)
        sizes = contents["features"], len(contents["labels"])

        def blocks() -> Iterator[Block]:
            with open(source.path, "rb") as file:
                memory = np.frombuffer(
                    mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY), np.uint8
                )
            for at, rows, entries in contents["blocks"]:
                found = _block(memory, at, rows, entries)
                if not sound(found.rows, _single(found), *sizes):
                    raise _damaged(source)
                yield found

        columns = tuple(Column(*column) for column in contents["columns"])
        labels = contents["labels"]
        return Stream(labels, sizes[0], contents["rows"], blocks, partial(_warm, sizes), columns)


def pack(stream: Stream, path: Path, source: str) -> int:
    """Write a stream to a file and return the number of rows; the file is whole or not there."""
    if stream.length is None and not stream.ends:
        raise BadInput(
            "onebit: an endless stream cannot be packed; give a file or a finite stream."
        )
    try:
        with write_atomically(path) as file:
            return _write(file, stream, source)
    except OSError as error:
        raise BadInput(f"onebit: {path} cannot be written: {error.strerror}.") from None


def _write(file: BinaryIO, stream: Stream, source: str) -> int:
    file.write(bytes(_HEAD.size))
    blocks: list[tuple[int, int, int]] = []
    checksum, rows = 0, 0
    for block in stream.blocks():
        sparse, truths = as_sparse(block.rows), _single(block)
        _pad(file)
        blocks.append((file.tell(), len(truths), len(sparse.indices)))
        rows += len(truths)
        arrays = (sparse.starts, sparse.indices, sparse.values, truths)
        for array, (little, _) in zip(arrays, _ARRAYS, strict=True):
            raw = np.ascontiguousarray(array, little).data.cast("B")
            _pad(file)
            file.write(raw)
            checksum = zlib.crc32(raw, checksum)
    contents = {
        "source": source,
        "labels": [label.item() if isinstance(label, np.generic) else label
                   for label in stream.labels],
        "features": stream.features,
        "rows": rows,
        "columns": [list(column) for column in stream.columns],
        "checksum": checksum,
        "blocks": blocks,
    }  # fmt: skip
    text = json.dumps(contents).encode()
    at = file.tell()
    file.write(text)
    file.seek(0)
    file.write(_HEAD.pack(MARK, VERSION, zlib.crc32(text), at, len(text)))
    return rows


def _contents(source: Source) -> dict[str, Any]:
    """Read the contents and check the whole file against its checksums."""
    with source.open() as file:
        head = file.read(_HEAD.size)
        if not head.startswith(MARK):
            raise BadInput(f"onebit: {source.name} is not a packed file of onebit.")
        if len(head) < _HEAD.size:
            raise _damaged(source)
        _, version, checksum, at, length = _HEAD.unpack(head)
        if version > VERSION:
            raise BadInput(
                f"onebit: {source.name} is packed in version {version}; this onebit reads"
                f" versions up to {VERSION}."
            )
        size = os.stat(source.path).st_size
        if not version or at + length != size or length > size:
            raise _damaged(source)
        file.seek(at)
        text = file.read(length)
        if zlib.crc32(text) != checksum:
            raise _damaged(source)
        try:
            contents: dict[str, Any] = json.loads(text)
            _check(source, file, contents, at)
        except (ValueError, KeyError, TypeError):
            raise _damaged(source) from None
    return contents


def _check(source: Source, file: Any, contents: dict[str, Any], end: int) -> None:
    """Hold the blocks to their checksum, once for each version of a file."""
    with _lock:
        if (key := (source, source.version)) in _checked:
            return
        checksum = 0
        for at, rows, entries in contents["blocks"]:
            for start, stop in _places(at, rows, entries):
                file.seek(start)
                if not 0 <= start <= stop <= end:
                    raise _damaged(source)
                while start < stop:
                    piece = file.read(min(_PIECE, stop - start))
                    checksum = zlib.crc32(piece, checksum)
                    start += len(piece)
        if checksum != contents["checksum"]:
            raise _damaged(source)
        _checked.add(key)
    tell(
        f"{source.name}: {contents['rows']:,} rows, {contents['features']:,} features and"
        f" {len(contents['labels']):,} labels, packed from {contents['source']}"
    )


def _places(at: int, rows: int, entries: int) -> list[tuple[int, int]]:
    """Return where the four arrays of a block begin and end."""
    places = []
    counts = (rows + 1, entries, entries, rows)
    for count, (little, _) in zip(counts, _ARRAYS, strict=True):
        at = -(-at // _ALIGN) * _ALIGN
        places.append((at, at + count * np.dtype(little).itemsize))
        at = places[-1][1]
    return places


def _block(memory: Any, at: int, rows: int, entries: int) -> Block:
    """Return a block whose arrays are the file itself."""
    starts, indices, values, labels = (
        memory[start:stop].view(little).astype(ours, copy=False)
        for (start, stop), (little, ours) in zip(_places(at, rows, entries), _ARRAYS, strict=True)
    )
    return noiseless_block(SparseRows(starts, indices, values), labels)


def _single(block: Block) -> Ints:
    if not isinstance(block.truths, Single):
        raise BadInput("onebit: rows with several right labels cannot be packed.")
    return block.truths.labels


def _pad(file: BinaryIO) -> None:
    file.write(bytes(-file.tell() % _ALIGN))


def _damaged(source: Source) -> BadInput:
    return BadInput(f"onebit: {source.name} is damaged; pack it again from its source.")


def _warm(sizes: tuple[int, int]) -> None:
    sound(no_rows(0), np.empty(0, np.int32), *sizes)


@entry
def sound(rows: SparseRows, labels: Ints, features: int, n_labels: int) -> bool:
    """Say whether rows can be handed to kernels without harm, whoever made the file."""
    if rows.starts[0] != 0 or rows.starts[labels.shape[0]] != rows.indices.shape[0]:
        return False
    for i in range(labels.shape[0]):
        start, stop = rows.starts[i], rows.starts[i + 1]
        if stop < start or stop > rows.indices.shape[0]:
            return False
        if labels[i] < 0 or labels[i] >= n_labels:
            return False
        last = -1
        square = 0.0
        for n in range(start, stop):
            if rows.indices[n] <= last or rows.indices[n] >= features:
                return False
            last = rows.indices[n]
            square += rows.values[n] * rows.values[n]
        if not square <= 1e200:
            return False
    return True
