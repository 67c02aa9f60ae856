"""csv: a table in text, with commas between fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, NamedTuple

from onebit.kernel.features import HASHED_WIDTH, WIDEST
from onebit.naming.params import Auto, OneOf, Whole
from onebit.streams.formats import file_format
from onebit.streams.reading import delimited
from onebit.streams.reading.batch import Batch, Layout, Reading
from onebit.streams.reading.rules import AUTO, NameOrNumber, ValueOrder, Words


@file_format(".csv", ".data")
class Csv(NamedTuple):
    """A table with commas: one column is the label, the others are numbers or categories."""

    label: Annotated[
        str, NameOrNumber(), "the label's column: its name, its number, first or last"
    ] = "last"
    header: Annotated[str, OneOf((AUTO, "yes", "no")), "whether the first line is names"] = AUTO
    numbers: Annotated[Any, Auto(Words()), "columns that must be numbers"] = AUTO
    categories: Annotated[Any, Auto(Words()), "columns that are not, whatever they hold"] = AUTO
    values: Annotated[Any, ValueOrder(), "the order of a column's values"] = "sorted"
    hashed: Annotated[int, Whole(1, WIDEST), "features for columns of too many values"] = (
        HASHED_WIDTH
    )

    def csv_options(self) -> dict[str, Any]:
        """Fields may be in quotes, and then have commas and line ends in them."""
        return {"skipinitialspace": True}

    def layout(self, repeatable: bool) -> Layout | None:
        """Without a first pass, all columns are hashed by name."""
        return None if repeatable else Layout(self.hashed)

    def survey(self, reading: Reading, on_batch: Callable[[Batch], object]) -> Layout:
        """Find out what each column is."""
        return delimited.survey(reading, self, on_batch)

    def batches(self, reading: Reading, layout: Layout) -> Iterator[Batch]:
        """Read the rows."""
        return delimited.batches(reading, self, layout)
