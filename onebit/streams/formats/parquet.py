"""parquet: Parquet and Arrow files, by pyarrow (the extra `parquet`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, NamedTuple

from onebit.errors import BadInput
from onebit.kernel.features import HASHED_WIDTH
from onebit.naming.params import Auto, Whole
from onebit.streams.formats import file_format
from onebit.streams.reading import tabular as table
from onebit.streams.reading.batch import Batch, Layout, Reading
from onebit.streams.reading.rules import AUTO, Text, ValueOrder, Words
from onebit.streams.reading.source import Source
from onebit.streams.reading.tabular import Header, Record

#: Rows taken from the file at a time.
_ROWS = 4096


@file_format(".parquet", ".pq", ".arrow", ".feather")
class Parquet(NamedTuple):
    """A Parquet or Arrow file: one column is the label, the others are numbers or categories."""

    label: Annotated[str, Text(), "the label's column: its name, its number, first or last"] = (
        "last"
    )
    numbers: Annotated[Any, Auto(Words()), "columns that must be numbers"] = AUTO
    categories: Annotated[Any, Auto(Words()), "columns that are not, whatever they hold"] = AUTO
    values: Annotated[Any, ValueOrder(), "the order of a column's values"] = "sorted"
    hashed: Annotated[int, Whole(1), "features for columns of too many values"] = HASHED_WIDTH

    def layout(self, repeatable: bool) -> None:
        """A first pass finds out what the columns hold."""
        if not repeatable:
            raise BadInput("onebit: a Parquet file must lie on the disk, got a pipe.")

    def survey(self, reading: Reading, see: Callable[[Batch], object]) -> Layout:
        """Find out what each column holds."""
        with _opened(reading.source) as (schema, parts):
            header = self._header(reading, schema)
            return table.survey(header, _records(parts), self, see)

    def batches(self, reading: Reading, layout: Layout) -> Iterator[Batch]:
        """Read the rows."""
        reading.bad.unit = "row"
        with _opened(reading.source) as (schema, parts):
            header = self._header(reading, schema)
            yield from table.batches(header, _records(parts), layout, reading.bad)

    def _header(self, reading: Reading, schema: Any) -> Header:
        """Return the columns; those that the file declares as no numbers are none."""
        import pyarrow.types as kinds

        reading.bad.unit = "row"
        who = f"onebit: {reading.source.name}"
        names = list(schema.names)
        found = {}
        for field in schema:
            kind = field.type
            if kinds.is_nested(kind):
                raise BadInput(f"{who}: column {field.name} must hold single values, got {kind}.")
            number = kinds.is_integer(kind) or kinds.is_floating(kind) or kinds.is_boolean(kind)
            found[field.name] = "numbers" if number or kinds.is_decimal(kind) else "categories"
        found |= table.forced(who, names, self)
        orders = table.orders(who, names, self.values)
        return Header(names, table.find_label(who, names, self.label), found, orders)


@contextmanager
def _opened(source: Source) -> Iterator[tuple[Any, Iterator[Any]]]:
    """Open the file, whichever of the two forms it has; return its schema and its parts."""
    try:
        import pyarrow
        import pyarrow.ipc
        import pyarrow.parquet
    except ImportError:
        raise BadInput(
            "onebit: Parquet files need the extra parquet: pip install 'onebit[parquet]'."
        ) from None
    try:
        with open(source.path, "rb") as file:
            if file.read(6) == b"ARROW1":
                with pyarrow.ipc.open_file(file) as arrow:
                    whole = (arrow.get_batch(n) for n in range(arrow.num_record_batches))
                    yield (
                        arrow.schema,
                        (
                            part.slice(at, _ROWS)
                            for part in whole
                            for at in range(0, part.num_rows, _ROWS)
                        ),
                    )
            else:
                parquet = pyarrow.parquet.ParquetFile(file)
                yield parquet.schema_arrow, parquet.iter_batches(batch_size=_ROWS)
    except (OSError, pyarrow.ArrowException) as error:
        why = str(error).partition("\n")[0].rstrip(".")
        raise BadInput(f"onebit: {source.name} cannot be read: {why}.") from None


def _records(parts: Iterator[Any]) -> Iterator[Record]:
    """Return every row as texts, with its number."""
    number = 0
    for part in parts:
        columns = [list(map(_text, column.to_pylist())) for column in part.columns]
        for fields in zip(*columns, strict=True):
            number += 1
            yield number, fields


def _text(value: Any) -> str:
    """Return a value as text: nothing for null, 1 and 0 for true and false."""
    if isinstance(value, bytes):
        return value.decode(errors="backslashreplace")
    if isinstance(value, bool):
        return str(int(value))
    return "" if value is None else str(value)
