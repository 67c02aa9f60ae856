"""Tables: records of fields, of which one is the label and the others become features."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from onebit.kernel.block import BLOCK
from onebit.streams.reading.bad_lines import BadLines
from onebit.streams.reading.batch import Batch, Layout, empty_rows
from onebit.streams.reading.row_cleanup import select_rows
from onebit.streams.reading.table_header import Header
from onebit.streams.tables.building import build_encoder
from onebit.streams.tables.describing import describe
from onebit.streams.tables.encoder import Counts, Encoder, needed_number
from onebit.streams.tables.survey import ColumnSurvey

#: Fields in memory at a time.
_GROUP_FIELDS = 500_000

#: A line number, and the fields of the record that ends there.
Record = tuple[int, Sequence[str]]


def survey(
    who: str, header: Header, records: Iterable[Record], on_batch: Callable[[Batch], object]
) -> Layout:
    """Find out what each column is; the batches for `on_batch` have labels but no features."""
    surveys = [ColumnSurvey() for _ in header.names]
    for lines, columns in _groups(records, len(header.names)):
        for place, column in enumerate(columns):
            if place != header.label:
                surveys[place].add(column)
        labels = list(columns[header.label])
        on_batch(Batch(empty_rows(len(lines)), labels, np.array(lines, np.int64)))
    encoder = build_encoder(who, header.names, header.label, surveys, header.wishes)
    return encoder_layout(encoder, describe(encoder, surveys))


def encoder_layout(encoder: Encoder, told: str = "") -> Layout:
    """Return the layout of the rows that an encoder makes."""
    return Layout(encoder.features, encoder.columns, None, encoder, told)


def batches(
    header: Header, records: Iterable[Record], encoder: Encoder, bad_lines: BadLines
) -> Iterator[Batch]:
    """Turn records into rows."""
    counts: Counts = Counter()
    for lines, columns in _groups(records, len(header.names)):
        rows, malformed = encoder.encode(columns, counts)
        labels, numbers = list(columns[header.label]), np.array(lines, np.int64)
        if malformed:
            valid = np.ones(len(lines), np.bool_)
            for n, name, field in malformed:
                if valid[n]:
                    bad_lines.reject(lines[n], needed_number(name), field)
                valid[n] = False
            rows, numbers = select_rows(rows, valid), numbers[valid]
            labels = list(itertools.compress(labels, valid.tolist()))
        yield Batch(rows, labels, numbers)


def _groups(records: Iterable[Record], width: int) -> Iterator[tuple[list[int], list[Any]]]:
    """Return groups of records: their line numbers, and their fields column by column."""
    records = iter(records)
    while group := list(itertools.islice(records, group_size(width))):
        yield [line for line, _ in group], list(zip(*(f for _, f in group), strict=True))


def group_size(width: int) -> int:
    """Return how many records of so many fields are in a group."""
    return max(1, min(BLOCK, _GROUP_FIELDS // width))
