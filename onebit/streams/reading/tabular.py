"""Tables: records of fields, of which one is the label and the others become features.

A column whose fields are all numbers is one feature. Any other column is categorical: one
feature for each value, or hashed if it has too many values. An empty field sets no feature.
Without a first pass every column is hashed by its name, as an Agent does with named features.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from onebit.kernel.block import BLOCK
from onebit.kernel.rows import SparseRows
from onebit.streams.reading.bad_lines import BadLines
from onebit.streams.reading.batch import Batch, Layout, empty_rows
from onebit.streams.reading.table_columns import ColumnSurvey, encode, surveyed_layout
from onebit.streams.reading.table_header import Header, TableOptions

#: Fields in memory at a time.
_GROUP_FIELDS = 500_000

#: A line number, and the fields of the record that ends there.
Record = tuple[int, Sequence[str]]


def survey(
    header: Header,
    records: Iterable[Record],
    options: TableOptions,
    on_batch: Callable[[Batch], object],
) -> Layout:
    """Find out what each column is; the batches for `on_batch` have labels but no features."""
    surveys = [ColumnSurvey() for _ in header.names]
    for lines, columns in _groups(records, len(header.names)):
        for place, column in enumerate(columns):
            if place != header.label:
                surveys[place].add(column)
        labels = list(columns[header.label])
        on_batch(Batch(empty_rows(len(lines)), labels, np.array(lines, np.int64)))
    return surveyed_layout(header, surveys, options)


def batches(
    header: Header, records: Iterable[Record], layout: Layout, bad_lines: BadLines
) -> Iterator[Batch]:
    """Turn records into rows."""
    places = [place for place in range(len(header.names)) if place != header.label]
    for lines, columns in _groups(records, len(header.names)):
        valid = np.ones(len(lines), np.bool_)
        encoded = []
        for encoding, place in zip(layout.details, places, strict=True):
            *pair, invalid = encode(encoding, columns[place])
            for n in invalid:
                if valid[n]:
                    must = f"have a finite number in column {encoding.name}"
                    bad_lines.reject(lines[n], must, columns[place][n])
                valid[n] = False
            encoded.append(pair)
        indices = np.array([pair[0] for pair in encoded], np.int64).reshape(-1, len(lines)).T
        values = np.array([pair[1] for pair in encoded]).reshape(-1, len(lines)).T
        is_set = (indices >= 0) & valid[:, None]
        starts = np.concatenate([[0], np.cumsum(is_set.sum(1)[valid])]).astype(np.int64)
        rows = SparseRows(starts, indices[is_set].astype(np.int32), values[is_set])
        labels = list(itertools.compress(columns[header.label], valid.tolist()))
        yield Batch(rows, labels, np.array(lines, np.int64)[valid])


def _groups(records: Iterable[Record], width: int) -> Iterator[tuple[list[int], list[Any]]]:
    """Return groups of records: their line numbers, and their fields column by column."""
    records = iter(records)
    size = max(1, min(BLOCK, _GROUP_FIELDS // width))
    while group := list(itertools.islice(records, size)):
        yield [line for line, _ in group], list(zip(*(f for _, f in group), strict=True))
