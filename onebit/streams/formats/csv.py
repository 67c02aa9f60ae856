"""csv: a table in text, with commas between fields, or another character that is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from onebit.kernel.features import HASHED_WIDTH
from onebit.streams.formats import file_format
from onebit.streams.reading import delimited, table_pieces
from onebit.streams.reading.batch import Batch, Layout, Reading
from onebit.streams.reading.rules import (
    AUTO,
    CategoryColumns,
    Decimal,
    Delimiter,
    Encoding,
    HashedWidth,
    HeaderLine,
    Kinds,
    LabelColumn,
    NumberColumns,
    Scaled,
    ValuesOrder,
)


@file_format(".csv", ".data")
class Csv(NamedTuple):
    """A table in text: one column is the label, what the others are is found out."""

    label: LabelColumn = "last"
    header: HeaderLine = AUTO
    delimiter: Delimiter = AUTO
    encoding: Encoding = AUTO
    decimal: Decimal = AUTO
    kinds: Kinds = AUTO
    numbers: NumberColumns = AUTO
    categories: CategoryColumns = AUTO
    values: ValuesOrder = "sorted"
    hashed: HashedWidth = HASHED_WIDTH
    scale: Scaled = "yes"

    def csv_options(self, delimiter: str) -> dict[str, Any]:
        """Fields may be in quotes, and then have delimiters and line ends in them."""
        return {"skipinitialspace": True, "delimiter": delimiter}

    def layout(self, repeatable: bool) -> Layout | None:
        """Without a first pass, all columns are hashed by name."""
        return None if repeatable else Layout(self.hashed)

    def survey(self, reading: Reading, on_batch: Callable[[Batch], object]) -> Layout:
        """Find out what each column is."""
        return delimited.survey(reading, self, on_batch)

    def table(self, reading: Reading) -> Iterator[tuple[int, Sequence[str]]]:
        """Return the records as text, with their lines."""
        return delimited.records(reading, self)

    def batches(self, reading: Reading, layout: Layout) -> Iterator[Batch]:
        """Read the rows."""
        return delimited.batches(reading, self, layout)

    def prepare(self) -> None:
        """Compile the reader."""
        table_pieces.prepare()
