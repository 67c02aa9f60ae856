"""Tables and documents in text, read by compiled code, pieces of the file side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from onebit.kernel.rows import SparseRows
from onebit.streams.reading.batch import Batch, Layout, Reading, empty_rows
from onebit.streams.reading.field_dates import MOST_PARTS, PART_NUMBERS
from onebit.streams.reading.field_encoder import (
    DATE,
    DOCUMENT,
    HASHED,
    NUMBER,
    REMEMBERED,
    TEXT,
    FieldCode,
    FieldEncoder,
    field_text,
)
from onebit.streams.reading.field_survey import FieldSurvey
from onebit.streams.reading.labels import Labels, LabelSpans
from onebit.streams.reading.records import (
    NO_NUMBERS,
    Part,
    Records,
    Splitter,
    document_splitter,
    groups,
    in_order,
    table_splitter,
)
from onebit.streams.reading.row_cleanup import Flags, select_rows
from onebit.streams.reading.table_header import Header
from onebit.streams.reading.tabular import encoder_layout, group_size
from onebit.streams.reading.word_marks import mark_words, new_word_marks
from onebit.streams.tables import kinds, survey
from onebit.streams.tables.building import build_encoder
from onebit.streams.tables.dates import ISO
from onebit.streams.tables.describing import describe
from onebit.streams.tables.encoder import ColumnCode, Encoder, needed_number
from onebit.streams.tables.fields import COMMA, PLAIN
from onebit.streams.tables.survey import ColumnSurvey
from onebit.streams.tables.words import text_entries


class Table(NamedTuple):
    """What must be known to read records.

    Attributes
    ----------
    splitter : Splitter
        What splits pieces into records.
    label : int
        The place of the label in a record.
    skipped : int
        How many records are no rows, at the beginning.
    seen : int
        Up to this line, malformed text was rejected when the header was looked for.
    latin_1 : bool
        Whether text that is not UTF-8 may be Latin-1.
    group : int
        How many records are read before the first of them becomes a row.
    """

    splitter: Splitter
    label: int
    skipped: int
    seen: int
    latin_1: bool
    group: int

    def groups(self, reading: Reading, work: Callable[[bytes, bool], Rows]) -> Iterator[list[Part]]:
        """Yield what `work` makes of the records, in groups."""
        made = in_order(reading.source, work, self.latin_1)
        return groups(made, reading.bad_lines, self.group, self.skipped, self.seen)

    def note(self, surveys: Sequence[ColumnSurvey]) -> None:
        """Receive what was found in the columns so far."""


class Shape(NamedTuple):
    """How records are written, if only their width is known."""

    width: int


class Rows(NamedTuple):
    """The rows of a piece, which of them are valid, and the row, column and text of bad fields."""

    records: Records
    rows: SparseRows
    valid: Flags
    malformed: list[tuple[int, str, str]]


def survey_table(
    who: str, header: Header, table: Table, reading: Reading, on_batch: Callable[[Batch], object]
) -> Layout:
    """Find out what each column is."""
    surveys = [ColumnSurvey() for _ in header.names]
    fields = FieldSurvey(surveys, header.label)
    for group in table.groups(reading, partial(_split, table.splitter)):
        fields.add(group)
        table.note(surveys)
        for part in group:
            on_batch(_batch(part, table.label))
    fields.finish()
    encoder = build_encoder(who, header.names, header.label, surveys, header.wishes)
    return encoder_layout(encoder, describe(encoder, surveys))


def label_batches(table: Table, reading: Reading) -> Iterator[Batch]:
    """Yield the labels of all rows, without features."""
    for group in table.groups(reading, partial(_split, table.splitter)):
        for part in group:
            yield _batch(part, table.label)


def table_batches(table: Table, encoder: Encoder, reading: Reading) -> Iterator[Batch]:
    """Turn the records of a table into rows."""
    codes = [field_code(encoder, place, code) for place, code in encoder.used]
    names = [code.name for _, code in encoder.used]
    return encoded_batches(table, FieldEncoder(codes, table.splitter.dialect.width), names, reading)


def document_batches(table: Table, text: int, features: int, reading: Reading) -> Iterator[Batch]:
    """Turn documents into rows."""

    def read(field: str) -> tuple[list[int], list[float], bool]:
        return *text_entries(field, features), False

    code = FieldCode(text, DOCUMENT, read, width=features)
    encoder = FieldEncoder([code], table.splitter.dialect.width)
    return encoded_batches(table, encoder, [""], reading)


def field_code(encoder: Encoder, place: int, code: ColumnCode) -> FieldCode:
    """Return how compiled code reads a column."""
    made = FieldCode(place, REMEMBERED, partial(encoder.read, code), code.first, code.width)
    if code.is_number and not code.values:
        return made._replace(mode=NUMBER, mark=ord("," if code.style == COMMA else "."))
    if code.kind == kinds.TEXT:
        return made._replace(mode=TEXT, prefix=f"{code.name} ", weight=code.weight)
    if code.kind == kinds.CATEGORY and not code.values:
        return made._replace(mode=HASHED, prefix=f"{code.name}=")
    if code.kind == kinds.DATE and code.style == ISO and len(code.parts) <= MOST_PARTS:
        parts = tuple(PART_NUMBERS[part] for part in code.parts)
        return made._replace(mode=DATE, parts=parts, times=(code.start, code.span))
    return made


def exact_columns(label: int, width: int, encoder: Encoder | None) -> list[bool]:
    """Return of which columns the text of numbers matters, and not their value alone.

    Without an encoder, what the columns are is still to be found out.
    """
    exact = [encoder is None or place == label for place in range(width)]
    if encoder is not None:
        for place, code in encoder.used:
            is_number = field_code(encoder, place, code).mode == NUMBER
            exact[place] = not is_number or code.style != PLAIN
    return exact


def give_up_texts(exact: Flags, surveys: Sequence[ColumnSurvey]) -> None:
    """Give up the texts of numbers in columns of too many values, once a sample is there.

    Their texts are not compared any more, and whatever their text, they are numbers.
    """
    for place, each in enumerate(surveys):
        if each.too_many and len(each.sample) >= survey.SAMPLE:
            exact[place] = False


def _split(splitter: Splitter, piece: bytes, last: bool) -> Rows:
    records = splitter.split(piece, last)
    count = len(records.lines)
    return Rows(records, empty_rows(count), np.ones(count, np.bool_), [])


def encoded_batches(
    table: Table, encoder: FieldEncoder, names: list[str], reading: Reading
) -> Iterator[Batch]:
    """Turn the records of a table into rows, given the names of the columns that are encoded."""

    def work(piece: bytes, last: bool) -> Rows:
        records = table.splitter.split(piece, last)
        text, spans = records.text, records.spans
        rows, valid, bad = encoder.encode(text, spans, records.numbers)
        malformed = [
            (row, names[n], field_text(text, spans, row * encoder.width + encoder.codes[n].place))
            for row, n in bad
        ]
        return Rows(records, rows, valid, sorted(malformed))

    for group in table.groups(reading, work):
        dropped = [_reject_malformed(part, reading) for part in group]
        for part, rows in zip(group, dropped, strict=True):
            yield _batch(part, table.label, rows)


def _reject_malformed(part: Part, reading: Reading) -> list[int]:
    """Reject the malformed fields of a part, the first of each record; return their rows."""
    found: dict[int, None] = {}
    for row, name, field in part.made.malformed:
        if part.first <= row < part.stop and row not in found:
            line = part.lines_before + int(part.made.records.lines[row])
            reading.bad_lines.reject(line, needed_number(name), field)
            found[row] = None
    return [row - part.first for row in found]


def _batch(part: Part, label: int, dropped: list[int] | None = None) -> Batch:
    """Return the batch of a part, without the rows that are dropped."""
    made: Rows = part.made
    chosen = slice(part.first, part.stop)
    starts = made.rows.starts[part.first : part.stop + 1]
    entries = slice(starts[0], starts[-1])
    rows = SparseRows(starts - starts[0], made.rows.indices[entries], made.rows.values[entries])
    lines, valid = made.records.lines[chosen] + part.lines_before, made.valid[chosen]
    spans = made.records.spans.reshape(len(made.records.lines), -1, 2)[chosen, label]
    if dropped:
        kept = np.ones(part.rows, np.bool_)
        kept[dropped] = False
        rows, lines, valid, spans = select_rows(rows, kept), lines[kept], valid[kept], spans[kept]
    labels = LabelSpans(made.records.text, *np.ascontiguousarray(spans.T, np.int64))
    return Batch(rows, labels, lines, valid)


def new_table(splitter: Splitter, label: int, skipped: int, seen: int, latin_1: bool) -> Table:
    """Return what must be known to read the records of a table."""
    return Table(splitter, label, skipped, seen, latin_1, group_size(splitter.dialect.width))


def prepare() -> None:
    """Compile what reads tables and documents."""
    mark_words(np.frombuffer(b"\n", np.uint8), new_word_marks(1))
    for splitter in (table_splitter(2, {"delimiter": ","}), document_splitter(2)):
        records = splitter.split(b"1\ta,b\n")
        FieldEncoder([], 2).encode(records.text, records.spans, NO_NUMBERS)
    Labels(["a"]).numbers(LabelSpans(b"a\n", np.array([0], np.int64), np.array([1], np.int64)))
