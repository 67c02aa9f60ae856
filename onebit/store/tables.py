"""Rows of plain values as a Parquet file, a part at a time."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from onebit.errors import BadInput
from onebit.kernel.atomic import write_atomically

_ROWS = 50_000


def row_of_event(line: dict[str, Any]) -> dict[str, Any]:
    """Return an event as a row of a table: its kind, number, agent, time, and all of it as JSON."""
    names = ("kind", "seq", "agent", "time", "id")
    row = {name: line.get(name) for name in names}
    return {**row, "event": msgspec.json.encode(line).decode()}


def write_parquet(path: Path, rows: Iterable[dict[str, Any]]) -> int:
    """Write rows with the same keys; return how many.

    Raises
    ------
    BadInput
        If pyarrow is not there.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise BadInput("onebit: Parquet needs pyarrow: pip install 'onebit[parquet]'.") from None
    rows, count, writer = iter(rows), 0, None
    with write_atomically(path) as file:
        while some := list(islice(rows, _ROWS)):
            table = pa.Table.from_pylist(some, schema=None if writer is None else writer.schema)
            if writer is None:
                fields = [
                    field.with_type(pa.string()) if pa.types.is_null(field.type) else field
                    for field in table.schema
                ]
                table = table.cast(pa.schema(fields))
                writer = pq.ParquetWriter(file, table.schema)
            writer.write_table(table)
            count += len(some)
        if writer is None:
            pq.write_table(pa.table({}), file)
        else:
            writer.close()
    return count
