"""csv: a table in text, fields with commas between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, NamedTuple

from onebit.kernel.features import HASHED_WIDTH
from onebit.naming.params import Auto, OneOf, Whole
from onebit.streams.formats import file_format
from onebit.streams.reading import delimited as separated
from onebit.streams.reading.batch import Batch, Layout, Reading
from onebit.streams.reading.rules import AUTO, Text, ValueOrder, Words


@file_format(".csv", ".data")
class Csv(NamedTuple):
    """A table with commas: one column is the label, the others are numbers or categories."""

    label: Annotated[str, Text(), "the label's column: its name, its number, first or last"] = (
        "last"
    )
    header: Annotated[str, OneOf((AUTO, "yes", "no")), "whether the first line is names"] = AUTO
    numbers: Annotated[Any, Auto(Words()), "columns that must be numbers"] = AUTO
    categories: Annotated[Any, Auto(Words()), "columns that are not, whatever they hold"] = AUTO
    values: Annotated[Any, ValueOrder(), "the order of a column's values"] = "sorted"
    hashed: Annotated[int, Whole(1), "features for columns of too many values"] = HASHED_WIDTH

    def style(self) -> dict[str, Any]:
        """Fields may stand in quotes, and then hold commas and line ends."""
        return {"skipinitialspace": True}

    def layout(self, repeatable: bool) -> Layout | None:
        """All columns are hashed by name where a first pass cannot find out what they are."""
        return None if repeatable else Layout(self.hashed)

    def survey(self, reading: Reading, see: Callable[[Batch], object]) -> Layout:
        """Find out what each column is."""
        return separated.survey(reading, self, self.style(), see)

    def batches(self, reading: Reading, layout: Layout) -> Iterator[Batch]:
        """Read the rows."""
        return separated.batches(reading, self, self.style(), layout)
