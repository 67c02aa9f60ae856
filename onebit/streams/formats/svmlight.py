"""svmlight: `label index:value index:value ... # comment`, one row a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, NamedTuple

from onebit.kernel.features import HASHED_WIDTH, WIDEST
from onebit.kernel.verbs import implements, kernel
from onebit.naming.params import Auto, OneOf, Whole
from onebit.streams.formats import file_format
from onebit.streams.reading import line_parser
from onebit.streams.reading.batch import Batch, Layout, Reading
from onebit.streams.reading.label_scan import end_of_label
from onebit.streams.reading.line_parser import BLANK, parse_line
from onebit.streams.reading.numbers import (
    DEFERRED,
    NO_NUMBER,
    Bytes,
    byte_at,
    is_digit,
    read_number,
)
from onebit.streams.reading.row_buffer import RowBuffer, defer_number
from onebit.streams.reading.rules import AUTO, NONE, ColumnGroups, grouped_columns
from onebit.streams.reading.scanning import is_blank, skip_blanks

#: Indices are at most this.
_MAX_INDEX = 2**31 - 1
#: Error numbers.
NO_LABEL, NO_PAIR, TOO_LOW, TOO_HIGH = 1, 2, 3, 4


class Rules(NamedTuple):
    """The first index, and how many features there are."""

    base: int
    features: int


@file_format(".svmlight", ".svm", ".libsvm", ".scale")
class Svmlight(NamedTuple):
    """svmlight or libsvm text: a label, then index:value pairs, one row a line.

    Commas separate the labels of a row of which several are right.
    """

    SEPARATOR = ","  # type: ignore[misc]

    features: Annotated[Any, Auto(Whole(1, WIDEST)), "how many features there are"] = AUTO
    base: Annotated[str, OneOf((AUTO, "0", "1")), "the number of the first feature"] = AUTO
    columns: Annotated[str, ColumnGroups(), "features that are categorical columns"] = "none"

    def layout(self, repeatable: bool) -> Layout | None:
        """Without a first pass, auto means indices from 1 to 2**18."""
        if repeatable and AUTO in (self.features, self.base):
            return None
        width = HASHED_WIDTH if self.features == AUTO else self.features
        return Layout(width, grouped_columns(self.columns, width), 0 if self.base == "0" else 1)

    def survey(self, reading: Reading, on_batch: Callable[[Batch], object]) -> Layout:
        """Find the highest index, and whether there is an index 0."""
        base = 1 if self.base == "1" else 0
        width = _MAX_INDEX if self.features == AUTO else self.features + 1
        low, high = 1, 0
        for batch in self.batches(reading, Layout(width, details=base)):
            low, high = min(low, batch.span[0]), max(high, batch.span[1])
            on_batch(batch)
        shift = low if self.base == AUTO else 0
        width = self.width(low, high) if self.features == AUTO else self.features
        exact = base + shift + width > high  # an index N fits N features if there is no index 0
        return Layout(width, grouped_columns(self.columns, width), base + shift, exact=exact)

    def growing_layout(self) -> Layout | None:
        """Return the layout of a single pass that finds the width; None if one must be first."""
        if self.features != AUTO or self.columns != NONE:
            return None
        return Layout(_MAX_INDEX, details=1 if self.base == "1" else 0)

    def width(self, low: int, high: int) -> int:
        """Return the number of features, given the span of a pass with `growing_layout`."""
        return max(high + 1 - (low if self.base == AUTO else 0), 1)

    def rules(self, layout: Layout) -> Rules:
        """Return the rules by which lines are parsed."""
        return Rules(layout.details, layout.features)

    def batches(self, reading: Reading, layout: Layout) -> Iterator[Batch]:
        """Read the rows."""
        rules = self.rules(layout)
        first, last = rules.base, rules.base + rules.features - 1
        sentences = {
            NO_LABEL: "start with a label, without a colon",
            NO_PAIR: "have pairs index:value of a whole number and a number after its label",
            TOO_LOW: "have indices from 1 on (base=0 says that they start at 0)",
            TOO_HIGH: f"have indices from {first} to {last} (features=N allows more)",
        }
        return line_parser.batches(reading, rules, sentences.__getitem__)

    def prepare(self) -> None:
        """Compile the reader."""
        line_parser.prepare(Rules(1, 1))


@kernel
def label_end(text: Bytes, at: int) -> tuple[int, int]:
    """Return where the label at text[at:] ends and an error number, BLANK for a comment."""
    if byte_at(text, at) == 35:
        return at, BLANK
    while byte_at(text, at) > 32 and byte_at(text, at) != 35 and byte_at(text, at) != 58:
        at += 1
    return at, 0 if ends_pair(byte_at(text, at)) else NO_LABEL


@implements(end_of_label, Rules)
def _(rules: Rules, text: Bytes, at: int) -> tuple[int, int]:
    return label_end(text, at)  # type: ignore[no-any-return]


@implements(parse_line, Rules)
def _(
    rules: Rules, buffer: RowBuffer, text: Bytes, at: int, row: int, end: int, deferred: int
) -> tuple[int, int, int, int]:
    buffer.label_starts[row] = at
    at, error = label_end(text, at)
    buffer.label_stops[row] = at
    if error != 0:
        return at, end, deferred, error
    while True:
        at = skip_blanks(text, at)
        if byte_at(text, at) == 10 or byte_at(text, at) == 35:
            return at, end, deferred, 0
        is_query = text[at] == 113 and text[at + 1] == 105 and text[at + 2] == 100
        if is_query:
            at += 3
        first, index = at, 0
        while not is_query and is_digit(byte_at(text, at)):
            index = min(index * 10 + byte_at(text, at) - 48, _MAX_INDEX + 1)
            at += 1
        if byte_at(text, at) != 58 or (at == first and not is_query):
            return at, end, deferred, NO_PAIR
        start = at + 1
        at, value, kind = read_number(text, start)
        if kind == NO_NUMBER or not ends_pair(byte_at(text, at)):
            return at, end, deferred, NO_PAIR
        if is_query:
            continue
        index -= rules.base
        if index < 0 or index >= rules.features:
            return first, end, deferred, TOO_LOW if index < 0 else TOO_HIGH
        buffer.indices[end], buffer.values[end] = index, value
        if kind == DEFERRED:
            deferred = defer_number(buffer, deferred, end, 1.0, start, at)
        end += 1


@kernel
def ends_pair(c: int) -> bool:
    """Return whether a byte ends a label or a pair: a blank, a newline or a comment."""
    return is_blank(c) or c == 10 or c == 35
