"""text: `label<TAB>text`, one document a line, turned into weighted words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.features import HASHED_WIDTH, WIDEST
from onebit.kernel.rows import Sparse
from onebit.naming.params import OneOf, Whole
from onebit.streams.formats import file_format
from onebit.streams.reading.batch import Batch, Layout, Reading
from onebit.streams.reading.lines import VALID_TEXT, Lines, show_invalid
from onebit.streams.reading.row_batcher import RowBatcher
from onebit.streams.reading.rules import NameOrNumber
from onebit.streams.reading.table_header import find_column
from onebit.streams.tables.words import text_entries


@file_format(".txt", ".text")
class Text(NamedTuple):
    """Documents: a label and a text with a tab between them, one a line.

    The text's words in lower case are hashed; a word that occurs n times weighs 1 + ln(n), and
    the row is scaled to norm 1.
    """

    label: Annotated[str, NameOrNumber(), "the label's column: its name, its number or first"] = (
        "first"
    )
    text: Annotated[str, NameOrNumber(), "the text's column: its name, its number or last"] = "last"
    header: Annotated[str, OneOf(("yes", "no")), "whether the first line is names"] = "no"
    features: Annotated[int, Whole(1, WIDEST), "how many columns words are hashed to"] = (
        HASHED_WIDTH
    )

    def layout(self, repeatable: bool) -> Layout:
        """Words are hashed: the layout is known without reading."""
        return Layout(self.features)

    def batches(self, reading: Reading, layout: Layout) -> Iterator[Batch]:
        """Read the rows."""
        lines, batcher = Lines(reading.source), RowBatcher()
        width, label, text = 0, 0, 0
        for number, line in lines.numbered():
            if lines.is_invalid(line):
                reading.bad_lines.reject(number, VALID_TEXT, show_invalid(line))
                continue
            fields = line.split("\t")
            if not width:
                who, width = f"onebit: {reading.source.name}", len(fields)
                names = fields if self.header == "yes" else [str(n + 1) for n in range(width)]
                label = find_column(who, names, self.label)
                text = find_column(who, names, self.text)
                if self.header == "yes":
                    continue
            if len(fields) != width or width < 2:
                must = f"have {max(width, 2)} fields with tabs between them"
                reading.bad_lines.reject(number, must, f"{len(fields)}")
            elif batcher.add(document_row(fields[text], layout.features), fields[label], number):
                yield batcher.take_batch()
        if batcher.lines:
            yield batcher.take_batch()


def document_row(text: str, width: int) -> Sparse:
    """Return the row of a text."""
    places, values = text_entries(text, width)
    return Sparse(np.array(places, np.int32), np.array(values, np.float64))
