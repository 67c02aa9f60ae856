"""packed: onebit's own binary format, memory-mapped.

The file begins with a header of 32 bytes: the magic number, the version, the checksum of the
metadata, and where they are. Then come the blocks, each as raw little-endian arrays (starts,
indices, values, labels), then the metadata: a JSON object with the labels, the number of
features, and where each block is, with its checksum. A thread verifies each block before it is
played, while the one before is. Version 1 had one checksum over all blocks.
"""

from __future__ import annotations

import itertools
import json
import mmap
import os
import struct
import threading
import zlib
from collections.abc import Generator, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from onebit.errors import BadFile, BadInput, file_error
from onebit.kernel.atomic import remove_leftovers, write_atomically
from onebit.kernel.block import Block, Single, noiseless_block
from onebit.kernel.features import WIDEST
from onebit.kernel.rows import Ints, Rows, SparseRows, as_sparse
from onebit.kernel.sizes import Column
from onebit.kernel.validation import rows_are_sound
from onebit.streams import Stream
from onebit.streams.formats import file_format
from onebit.streams.reading.bad_lines import notify_once
from onebit.streams.reading.batch import empty_rows
from onebit.streams.reading.prefetch import Prefetch
from onebit.streams.reading.source import Source
from onebit.streams.tables.encoder import Encoder
from onebit.streams.tables.plain import from_plain, to_plain

VERSION = 2
MAGIC = b"\x89onebit\n"
#: Magic number, version, checksum of the metadata, their position and length.
_HEADER = struct.Struct("<8sIIQQ")
#: Arrays begin at multiples of _ALIGN bytes; _CHECKSUM_CHUNK bytes are read at a time.
_ALIGN, _CHECKSUM_CHUNK = 64, 1 << 20
_DTYPES = (("<i8", np.int64), ("<i4", np.int32), ("<f8", np.float64), ("<i4", np.int32))

_verified: set[tuple[Any, ...]] = set()
_verify_lock = threading.Lock()


@file_format(".onebit", packed=True)
class Packed(NamedTuple):
    """A file that `onebit pack` wrote: rows and labels as raw arrays, with a checksum."""

    def open(self, source: Source) -> Stream:
        """Verify the file and return its stream."""
        if not source.repeatable:
            raise BadFile("onebit: a packed file must lie on the disk, got a pipe.")
        metadata = _read_metadata(source)
        sizes = metadata["features"], len(metadata["labels"])

        def blocks() -> Iterator[Block]:
            return Prefetch(_blocks(source, metadata["blocks"], sizes))

        columns = tuple(Column(*column) for column in metadata["columns"])
        labels = metadata["labels"]
        encoder = _encoder_of(source, metadata)
        return Stream(
            labels, sizes[0], metadata["rows"], blocks, partial(_compile, sizes), columns,
            scale=metadata.get("scale") is True, encoder=encoder,
        )  # fmt: skip


def _blocks(
    source: Source, places: list[list[int]], sizes: tuple[int, int]
) -> Generator[Block, None, None]:
    """Return the blocks as views of the mapped file, each verified."""
    with open(source.path, "rb") as file:
        memory = np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY), np.uint8)
    for at, rows, entries, *checksum in places:  # version 1 has none here
        arrays = [memory[start:stop] for start, stop in _array_ranges(at, rows, entries)]
        if checksum and [_checksum(arrays)] != checksum:
            raise _damaged(source)
        found = _as_block(arrays)
        if not is_valid(found.rows, _single_labels(found), *sizes):
            raise _damaged(source)
        yield found


def _checksum(arrays: Iterable[Any]) -> int:
    """Return the checksum of the bytes of some arrays."""
    checksum = 0
    for raw in arrays:
        checksum = zlib.crc32(raw, checksum)
    return checksum


def _encoder_of(source: Source, metadata: dict[str, Any]) -> Encoder | None:
    """Return the encoder of a packed table, None if there is none."""
    if metadata.get("encoder") is None:
        return None
    try:
        encoder = from_plain(metadata["encoder"])
    except ValueError:
        raise _damaged(source) from None
    if encoder.features != metadata["features"]:
        raise _damaged(source)
    return encoder


def pack(stream: Stream, path: Path, source: str) -> int:
    """Write a stream to a file, atomically; return the number of rows."""
    if stream.length is None and not stream.ends:
        raise BadFile("onebit: an endless stream cannot be packed; give a file or a finite stream.")
    try:
        remove_leftovers(path.parent)
        with write_atomically(path) as file:
            return _write(file, stream, source)
    except OSError as error:
        raise file_error(f"onebit: {path} cannot be written", error) from None


def _write(file: BinaryIO, stream: Stream, source: str) -> int:
    file.write(bytes(_HEADER.size))
    blocks: list[tuple[int, int, int, int]] = []
    rows = 0
    for block in stream.blocks():
        sparse, truths = as_sparse(block.rows), _single_labels(block)
        _pad(file)
        at = file.tell()
        arrays = (sparse.starts, sparse.indices, sparse.values, truths)
        raw = [
            np.ascontiguousarray(array, little).data.cast("B")
            for array, (little, _) in zip(arrays, _DTYPES, strict=True)
        ]
        for each in raw:
            _pad(file)
            file.write(each)
        blocks.append((at, len(truths), len(sparse.indices), _checksum(raw)))
        rows += len(truths)
    metadata = {
        "source": source,
        "labels": [label.item() if isinstance(label, np.generic) else label
                   for label in stream.labels],
        "features": stream.features,
        "rows": rows,
        "columns": [list(column) for column in stream.columns],
        "scale": stream.scale,
        "encoder": None if stream.encoder is None else to_plain(stream.encoder),
        "blocks": blocks,
    }  # fmt: skip
    text = json.dumps(metadata).encode()
    at = file.tell()
    file.write(text)
    file.seek(0)
    file.write(_HEADER.pack(MAGIC, VERSION, zlib.crc32(text), at, len(text)))
    return rows


def _read_metadata(source: Source) -> dict[str, Any]:
    """Read the metadata and verify it; of version 1, also the checksum of all blocks."""
    with source.open() as file:
        head = file.read(_HEADER.size)
        if not head.startswith(MAGIC):
            raise BadFile(f"onebit: {source.name} is not a packed file of onebit.")
        if len(head) < _HEADER.size:
            raise _damaged(source)
        _, version, checksum, at, length = _HEADER.unpack(head)
        if version > VERSION:
            raise BadFile(
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
            metadata: dict[str, Any] = json.loads(text)
            if not _is_sound(metadata, size, version):
                raise _damaged(source)
            ranges = [_array_ranges(*block[:3]) for block in metadata["blocks"]]
            if not all(_HEADER.size <= a <= b <= at for block in ranges for a, b in block):
                raise _damaged(source)
            if version == 1:
                _verify_version_1(source, file, metadata["checksum"], ranges)
        except BadFile:
            raise
        except (ValueError, KeyError, TypeError, RecursionError):
            raise _damaged(source) from None
    notify_once(
        f"{source.name}: {metadata['rows']:,} rows, {metadata['features']:,} features and"
        f" {len(metadata['labels']):,} labels, packed from {metadata['source'].partition(':')[0]}"
    )
    return metadata


def _is_sound(metadata: dict[str, Any], size: int, version: int) -> bool:
    """Return whether metadata have the types and ranges that `pack` writes."""
    blocks, length = metadata["blocks"], 3 if version == 1 else 4  # with a checksum
    triples = [*(block[:3] for block in blocks), *metadata["columns"]]
    numbers = [metadata["rows"], *(number for each in triples for number in each)]
    return (
        isinstance(metadata["labels"], list)
        and isinstance(metadata["source"], str)
        and isinstance(metadata["features"], int)
        and 1 <= metadata["features"] <= WIDEST
        and all(len(each) == 3 for each in triples)
        and all(isinstance(number, int) and 0 <= number <= max(size, WIDEST) for number in numbers)
        and all(len(block) == length for block in blocks)
        and sum(block[1] for block in blocks) == metadata["rows"]
    )


def _verify_version_1(source: Source, file: Any, checksum: int, ranges: list[Any]) -> None:
    """Raise BadInput if the blocks do not match their checksum; once for each version of a file."""
    with _verify_lock:
        if (key := (source, source.version)) in _verified:
            return
        found = 0
        for start, stop in itertools.chain.from_iterable(ranges):
            file.seek(start)
            while start < stop:
                chunk = file.read(min(_CHECKSUM_CHUNK, stop - start))
                found = zlib.crc32(chunk, found)
                start += len(chunk)
        if found != checksum:
            raise _damaged(source)
        _verified.add(key)


def _array_ranges(at: int, rows: int, entries: int) -> list[tuple[int, int]]:
    """Return where the four arrays of a block begin and end in the file."""
    ranges = []
    counts = (rows + 1, entries, entries, rows)
    for count, (little, _) in zip(counts, _DTYPES, strict=True):
        at = -(-at // _ALIGN) * _ALIGN
        ranges.append((at, at + count * np.dtype(little).itemsize))
        at = ranges[-1][1]
    return ranges


def _as_block(raw: list[Any]) -> Block:
    """Return a block whose arrays are views of these bytes."""
    starts, indices, values, labels = (
        each.view(little).astype(ours, copy=False)
        for each, (little, ours) in zip(raw, _DTYPES, strict=True)
    )
    return noiseless_block(SparseRows(starts, indices, values), labels)


def _single_labels(block: Block) -> Ints:
    if not isinstance(block.truths, Single):
        raise BadFile("onebit: rows with several right labels cannot be packed.")
    return block.truths.labels


def _pad(file: BinaryIO) -> None:
    file.write(bytes(-file.tell() % _ALIGN))


def _damaged(source: Source) -> BadInput:
    return BadFile(f"onebit: {source.name} is damaged; pack it again from its source.")


def _compile(sizes: tuple[int, int]) -> None:
    is_valid(empty_rows(0), np.empty(0, np.int32), *sizes)


def is_valid(rows: Rows, labels: Ints, features: int, n_labels: int) -> bool:
    """Return whether kernels can take the rows, and labels are in range."""
    in_range = labels.min(initial=0) >= 0 and labels.max(initial=0) < n_labels
    return bool(in_range) and rows_are_sound(rows, features)
