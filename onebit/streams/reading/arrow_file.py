"""Parquet and Arrow files, opened by pyarrow, and their rows in batches that were checked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from onebit.errors import BadFile
from onebit.streams.reading.source import Source, check_line_length

#: Fields and rows read at a time, and the bytes that they may have: larger batches are cut.
_BATCH_FIELDS, _BATCH_ROWS, _BATCH_BYTES = 1 << 19, 1 << 14, 1 << 26


@contextmanager
def open_arrow(source: Source) -> Iterator[tuple[Any, Iterator[Any]]]:
    """Open a Parquet or an Arrow file; return its schema and its record batches."""
    try:
        import pyarrow
        import pyarrow.ipc
        import pyarrow.parquet
    except ImportError:
        raise BadFile(
            "onebit: Parquet files need the extra parquet: pip install 'onebit[parquet]'."
        ) from None
    try:
        with open(source.path, "rb") as file:
            if file.read(6) == b"ARROW1":
                with pyarrow.ipc.open_file(file) as arrow:
                    rows = _rows(arrow.schema)
                    large = (arrow.get_batch(n) for n in range(arrow.num_record_batches))
                    parts = (
                        part.slice(at, rows)
                        for part in large
                        for at in range(0, part.num_rows, rows)
                    )
                    yield arrow.schema, _checked(parts, source)
            else:
                parquet = pyarrow.parquet.ParquetFile(file)
                rows = _rows(parquet.schema_arrow)
                yield parquet.schema_arrow, _checked(parquet.iter_batches(batch_size=rows), source)
    except (OSError, pyarrow.ArrowException, UnicodeError, OverflowError) as error:
        why = str(error).partition("\n")[0].rstrip(".")
        raise BadFile(f"onebit: {source.name} cannot be read: {why}.") from None


def _rows(schema: Any) -> int:
    """Return how many rows of a table are read at a time."""
    return max(1, min(_BATCH_ROWS, _BATCH_FIELDS // max(len(schema.names), 1)))


def _checked(batches: Iterator[Any], source: Source) -> Iterator[Any]:
    """Yield batches that are sound, cut where they are large."""
    for batch in batches:
        for column in batch.columns:
            _check(column)
        yield from _cut(batch, source)


def _check(column: Any) -> None:
    """Raise an error of pyarrow if a column is damaged: offsets may point anywhere.

    Whether text is UTF-8 is looked at later, row by row.
    """
    import pyarrow
    import pyarrow.types as kinds

    if kinds.is_string(column.type):
        column = column.view(pyarrow.binary())
    elif kinds.is_large_string(column.type):
        column = column.view(pyarrow.large_binary())
    column.validate(full=True)


def _cut(batch: Any, source: Source) -> Iterator[Any]:
    if batch.nbytes <= _BATCH_BYTES:
        yield batch
    elif batch.num_rows == 1:
        check_line_length(source.name, batch.nbytes)
        yield batch
    else:
        half = batch.num_rows // 2
        yield from _cut(batch.slice(0, half), source)
        yield from _cut(batch.slice(half), source)
