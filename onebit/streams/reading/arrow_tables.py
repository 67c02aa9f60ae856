"""Columns of Arrow as the records of a table: where each field is in a text, and numbers as floats.

Texts stay where they are. A number is given as a float where its value is enough; where its text
matters, and for values of any other type, each different value of a batch is written once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from onebit.kernel.features import LARGEST
from onebit.kernel.rows import Floats
from onebit.streams.reading.arrow_file import open_arrow
from onebit.streams.reading.batch import Batch, Reading
from onebit.streams.reading.field_encoder import GIVEN, FieldEncoder
from onebit.streams.reading.label_sets import labels_text
from onebit.streams.reading.lines import VALID_TEXT, is_invalid, show_invalid
from onebit.streams.reading.records import Fault, Part, Records, groups, is_utf8
from onebit.streams.reading.row_buffer import Int64s
from onebit.streams.reading.side_by_side import map_side_by_side
from onebit.streams.reading.table_header import Header
from onebit.streams.reading.table_pieces import (
    Rows,
    Shape,
    Table,
    encoded_batches,
    exact_columns,
    field_code,
    give_up_texts,
)
from onebit.streams.reading.tabular import group_size
from onebit.streams.tables.encoder import Encoder
from onebit.streams.tables.fields import text_of
from onebit.streams.tables.survey import ColumnSurvey

#: The text of a batch begins with a number, for those of which only that matters, and a gap.
_START = b"0\n"
_SOME_NUMBER, _GAP = (0, 1), (1, 1)
#: Times whose years have four digits.
_FIRST_TIME, _LAST_TIME = np.datetime64("1000-01-01T00:00:00"), np.datetime64("9999-12-31T23:59:59")


class _Spans(NamedTuple):
    """Where the fields of a column start and stop in a text."""

    text: bytes
    starts: Int64s
    stops: Int64s

    def chosen(self, codes: Int64s) -> _Spans:
        """Return the fields with these numbers; -1 is a gap."""
        starts, stops = (np.append(places, 0)[codes] for places in (self.starts, self.stops))
        return _Spans(self.text, starts, stops)


class ArrowSplitter:
    """Turns batches into records; it may be used by several threads.

    `exact` says of each column whether the text of its numbers matters, and not their value alone.
    """

    def __init__(self, label: int, exact: Sequence[bool]) -> None:
        self.label, self.exact = label, np.array(exact, np.bool_)
        self.dialect = Shape(len(exact))

    def split(self, batch: Any, last: bool = False) -> Records:
        """Return the records of a batch."""
        found = self._records(batch, self.exact)
        if found.suspect:  # then all fields are shown
            found = _valid_records(self._records(batch, np.ones_like(self.exact)))
        return found

    def _records(self, batch: Any, exact: Any) -> Records:
        rows, width = batch.num_rows, self.dialect.width
        spans, numbers = np.empty((rows, width, 2), np.int32), np.zeros((width, rows))
        parts, size, suspect = [_START], len(_START), False
        for place, column in enumerate(batch.columns):
            if place == self.label and _is_nested(column.type):
                found = _write(labels_text(each) or "" for each in _lists(column))
            elif _is_number(column.type):
                numbers[place] = column.to_numpy(zero_copy_only=False)
                found = _text_spans(column) if exact[place] else _number_spans(numbers[place])
            else:
                found = _text_spans(column)
            gaps = found.stops == found.starts
            spans[:, place, 0] = np.where(gaps, _GAP[0], found.starts + size)
            spans[:, place, 1] = np.where(gaps, _GAP[1], found.stops + size)
            if not found.text:
                spans[~gaps, place] = _SOME_NUMBER
            size += len(found.text)
            suspect = suspect or _is_suspect(found)
            parts.append(found.text)
        text, lines = b"".join([*parts, b"\n"]), np.arange(1, rows + 1)
        return Records(b"", text, spans.reshape(-1), lines, [], rows, b"", suspect, numbers)


def _valid_records(found: Records) -> Records:
    """Return records without those that are no text, which are faults."""
    kept, faults = list[int](), list[Fault]()
    spans = found.spans.reshape(len(found.lines), -1, 2)
    for row, fields in enumerate(spans.tolist()):
        texts = (found.text[start:stop].decode(errors="surrogateescape") for start, stop in fields)
        if is_invalid(shown := "".join(texts)):
            faults.append(Fault(len(kept), row + 1, VALID_TEXT, show_invalid(shown)))
        else:
            kept.append(row)
    return found._replace(
        spans=spans[kept].reshape(-1), lines=found.lines[kept], faults=faults,
        numbers=np.ascontiguousarray(found.numbers[:, kept]),
    )  # fmt: skip


def _is_suspect(found: _Spans) -> bool:
    """Return whether a field may be no text: UTF-8 without NUL."""
    if found.text.isascii():
        return b"\0" in found.text
    text = np.frombuffer(found.text + b"\n", np.uint8)
    inside = (text[found.starts] & 0xC0) == 0x80  # a character that begins in another field
    return b"\0" in found.text or not is_utf8(found.text) or bool(inside.any())


def _is_number(kind: Any) -> bool:
    import pyarrow.types as kinds

    return bool(kinds.is_integer(kind) or kinds.is_floating(kind))


def _is_nested(kind: Any) -> bool:
    import pyarrow.types as kinds

    return bool(kinds.is_nested(kind))


def _number_spans(numbers: Floats) -> _Spans:
    """Return fields for numbers of which the value is given, a text only for those too large."""
    large = np.abs(numbers) > LARGEST
    if not large.any():
        stops = (~np.isnan(numbers)).astype(np.int64)
        return _Spans(b"", np.zeros_like(stops), stops)
    values, codes = np.unique(np.where(large, numbers, 0.0), return_inverse=True)
    found = _write(map(text_of, values.tolist()))
    return found.chosen(np.where(np.isnan(numbers), -1, codes))


def _text_spans(column: Any) -> _Spans:
    """Return the values of a column as fields, written as `text_of` does."""
    import pyarrow
    import pyarrow.types as kinds

    kind = column.type
    if kinds.is_dictionary(kind):
        if len(column.dictionary) > 2 * len(column):
            return _text_spans(column.dictionary_decode())
        codes = column.indices.fill_null(-1) if column.null_count else column.indices
        return _text_spans(column.dictionary).chosen(codes.to_numpy().astype(np.int64))
    if kinds.is_string(kind) or kinds.is_large_string(kind):
        return _binary_spans(column)
    if kinds.is_timestamp(kind) and kind.tz is None:
        found = _time_spans(column)
        if found is not None:
            return found
    try:
        encoded = column.dictionary_encode()
    except pyarrow.ArrowNotImplementedError:
        return _write(map(text_of, column.to_pylist()))
    codes = encoded.indices.fill_null(-1) if encoded.null_count else encoded.indices
    values = encoded.dictionary
    if kinds.is_floating(kind):
        numbers = values.to_numpy(zero_copy_only=False).astype(np.float64)
        written = _write(_float_texts(numbers))
    else:
        written = _write(map(text_of, values.to_pylist()))
    return written.chosen(codes.to_numpy().astype(np.int64))


def _float_texts(numbers: Floats) -> list[str]:
    """Return `text_of` of many numbers, quickly."""
    texts = list(map(repr, numbers.tolist()))
    short = np.flatnonzero((numbers == np.floor(numbers)) & (np.abs(numbers) < 2**53))
    for n, whole in zip(short.tolist(), numbers[short].astype(np.int64).tolist(), strict=True):
        texts[n] = str(whole)
    for n in np.flatnonzero(np.isnan(numbers)).tolist():
        texts[n] = ""
    return texts


def _time_spans(column: Any) -> _Spans | None:
    """Return dates and times as fields, if they are whole seconds of years of four digits."""
    import pyarrow

    try:
        seconds = column.cast(pyarrow.timestamp("s")).fill_null(0).to_numpy(zero_copy_only=False)
    except pyarrow.ArrowInvalid:  # there are parts of seconds
        return None
    if not len(seconds) or seconds.min() < _FIRST_TIME or seconds.max() > _LAST_TIME:
        return None
    written = np.datetime_as_string(seconds.astype("datetime64[s]")).astype("S20")
    text = written.view(np.uint8).reshape(-1, 20)
    text[:, 10], text[:, 19] = ord(" "), ord("\n")
    starts = 20 * np.arange(len(seconds))
    stops = starts + 19
    if column.null_count:
        stops = np.where(column.is_null().to_numpy(zero_copy_only=False), starts, stops)
    return _Spans(text.tobytes(), starts, stops)


def _binary_spans(column: Any) -> _Spans:
    """Return the values of a column of texts; they need not be UTF-8."""
    import pyarrow.types as kinds

    is_small = kinds.is_string(column.type)
    if not len(column):
        return _Spans(b"", np.empty(0, np.int64), np.empty(0, np.int64))
    kind = np.dtype(np.int32 if is_small else np.int64)
    _, places, data = column.buffers()
    offsets = np.frombuffer(
        places, kind, len(column) + 1, column.offset * kind.itemsize
    ).astype(np.int64)  # fmt: skip
    low, high = int(offsets[0]), int(offsets[-1])
    text = b"" if data is None else data.slice(low, high - low).to_pybytes()
    starts, stops = offsets[:-1] - low, offsets[1:] - low
    if column.null_count:
        stops = np.where(column.is_null().to_numpy(zero_copy_only=False), starts, stops)
    return _Spans(text, starts, stops)


def _write(texts: Iterable[str]) -> _Spans:
    """Return texts one after another."""
    written = [text.encode(errors="surrogatepass") for text in texts]
    lengths = np.array(list(map(len, written)), np.int64)
    stops = np.cumsum(lengths + 1) - 1
    starts = stops - lengths
    return _Spans(b"\n".join([*written, b""]), starts, stops)


def _lists(column: Any) -> list[Any]:
    """Return the values of a column of several labels: lists, or dicts of degrees."""
    import pyarrow.types as kinds

    values = column.to_pylist()
    return [each and dict(each) for each in values] if kinds.is_map(column.type) else values


class ArrowTable(Table):
    """What must be known to read the records of a Parquet or Arrow file."""

    def groups(self, reading: Reading, work: Callable[[Any, bool], Rows]) -> Iterator[list[Part]]:
        """Yield what `work` makes of the records, in groups."""
        with open_arrow(reading.source) as (_, batches):
            made = map_side_by_side(lambda batch: work(batch, False), batches)
            yield from groups(made, reading.bad_lines, self.group, 0, 0)

    def note(self, surveys: Sequence[ColumnSurvey]) -> None:
        """Give up the texts of numbers in columns of too many values, once a sample is there."""
        give_up_texts(self.splitter.exact, surveys)  # type: ignore[attr-defined]


def arrow_table(header: Header, encoder: Encoder | None = None) -> ArrowTable:
    """Return what reads the records of a table; with an encoder, as it needs them."""
    width = len(header.names)
    splitter: Any = ArrowSplitter(header.label, exact_columns(header.label, width, encoder))
    return ArrowTable(splitter, header.label, 0, 0, False, group_size(width))


def arrow_batches(header: Header, encoder: Encoder, reading: Reading) -> Iterator[Batch]:
    """Turn the records of a file into rows."""
    table = arrow_table(header, encoder)
    with open_arrow(reading.source) as (schema, _):
        given = [_is_number(kind) for kind in schema.types]
    codes = [field_code(encoder, place, code) for place, code in encoder.used]
    exact = table.splitter.exact  # type: ignore[attr-defined]
    codes = [
        code._replace(mode=GIVEN) if given[code.place] and not exact[code.place] else code
        for code in codes
    ]
    names = [code.name for _, code in encoder.used]
    return encoded_batches(table, FieldEncoder(codes, len(header.names)), names, reading)
