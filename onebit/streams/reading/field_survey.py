"""The first pass over a table, in compiled code: gaps, new values, and what is no number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from onebit.kernel.rows import Ints
from onebit.kernel.verbs import entry
from onebit.streams.reading.field_encoder import field_text
from onebit.streams.reading.field_memo import Memo, find_field, grown, new_memo, stored_field
from onebit.streams.reading.field_numbers import is_missing_word, read_field_number
from onebit.streams.reading.numbers import Bytes
from onebit.streams.reading.records import Part, Records
from onebit.streams.reading.row_buffer import Int64s
from onebit.streams.tables.survey import SAMPLE, ColumnSurvey

#: What is looked for in a column: nothing, gaps alone, what is no number too, or all values too.
_NOTHING, _GAPS, _OTHERS, _VALUES = range(4)


class FieldSurvey:
    """Counts in groups of records what each `ColumnSurvey` needs.

    The different values of all columns are in one hash table, for compiled code.
    """

    def __init__(self, surveys: Sequence[ColumnSurvey], label: int) -> None:
        self.surveys, self.label = surveys, label
        self._memo = new_memo(len(surveys))

    def add(self, group: Sequence[Part]) -> None:
        """Add a group of records."""
        width, first = len(self.surveys), int(self._memo.size[0])
        wanted = np.array([self._wanted(n) for n in range(width)], np.int64)
        gaps = np.zeros(width, np.int64)
        others: list[dict[str, None]] = [{} for _ in self.surveys]
        for part in group:
            for field in self._scan(part.made.records, part.first, part.stop, wanted, gaps):
                text = field_text(part.made.records.text, part.made.records.spans, field)
                others[field % width][text] = None
        memo = self._memo
        new, unusual = np.zeros(width, np.int64), np.empty(int(memo.size[0]) - first, np.int64)
        for n in unusual[: _look_at_new(memo, first, new, unusual)].tolist():
            others[memo.columns[n]][stored_field(memo, n)] = None
        rows = sum(part.rows for part in group)
        for n, survey in enumerate(self.surveys):
            if n != self.label:
                first_ones = _fields(group, n, width)
                survey.add_found(rows, int(gaps[n]), first_ones, int(new[n]), others[n])

    def finish(self) -> None:
        """Tell the surveys the different values of their columns, unless they are too many."""
        memo, count = self._memo, int(self._memo.size[0])
        wanted = np.array([not survey.too_many for survey in self.surveys], np.bool_)
        for n in np.flatnonzero(wanted[memo.columns[:count]] & ~memo.marked[:count]).tolist():
            self.surveys[memo.columns[n]].values[stored_field(memo, n)] = None

    def _wanted(self, n: int) -> int:
        survey = self.surveys[n]
        if n == self.label:
            return _NOTHING
        return _VALUES if not survey.too_many else _OTHERS if survey.looks_for_others else _GAPS

    def _scan(
        self, records: Records, first: int, stop: int, wanted: Int64s, gaps: Int64s
    ) -> list[int]:
        """Count gaps, remember new values, and return the fields that may be no numbers."""
        columns = int((wanted == _OTHERS).sum())
        others = np.empty((stop - first) * columns + 1, np.int64)
        text, cursor = (
            np.frombuffer(records.text, np.uint8),
            np.array([first * len(wanted), 0], np.int64),
        )
        while not _scan_fields(text, records.spans, stop, wanted, self._memo, gaps, others, cursor):
            self._memo = grown(self._memo, len(text))
        return others[: cursor[1]].tolist()  # type: ignore[no-any-return]


def _fields(group: Sequence[Part], column: int, width: int) -> Iterator[str]:
    """Yield the fields of a column."""
    for part in group:
        records: Records = part.made.records
        spans = records.spans.reshape(-1, width, 2)
        for first in range(part.first, part.stop, SAMPLE):
            chosen = spans[first : min(first + SAMPLE, part.stop), column]
            if not len(chosen):
                continue
            low, high = int(chosen[:, 0].min()), int(chosen[:, 1].max())
            if records.text.isascii():
                text = records.text[low:high].decode()  # places of characters are those of bytes
                yield from [text[start:stop] for start, stop in (chosen - low).tolist()]
            else:
                bytes_of = records.text
                yield from [
                    bytes_of[start:stop].decode(errors="surrogatepass")
                    for start, stop in chosen.tolist()
                ]


@entry
def _scan_fields(
    text: Bytes, spans: Ints, stop: int, wanted: Int64s, memo: Memo, gaps: Int64s, others: Int64s,
    cursor: Int64s,
) -> bool:  # fmt: skip
    """Scan the fields from the cursor on; return False if there is no room for more values.

    The cursor has the next field, and how many are in `others`.
    """
    width = wanted.shape[0]
    column = cursor[0] % width
    for field in range(cursor[0], stop * width):
        begin, end = np.int64(spans[2 * field]), np.int64(spans[2 * field + 1])
        if wanted[column] == _VALUES:
            number = find_field(memo, column, text, begin, end)
            if number < 0:
                cursor[0] = field
                return False
            gaps[column] += memo.marked[number]
        elif wanted[column] != _NOTHING:
            if is_missing_word(text, begin, end):
                gaps[column] += 1
            elif wanted[column] == _OTHERS:
                found = read_field_number(text, begin, end, 46)
                if not found[1]:
                    others[cursor[1]] = field
                    cursor[1] += 1
        column = column + 1 if column + 1 < width else 0
    return True


@entry
def _look_at_new(memo: Memo, first: int, new: Int64s, unusual: Int64s) -> int:
    """Count the values of each column from `first` on; note those that may be no numbers."""
    count = 0
    for n in range(first, memo.size[0]):
        if not memo.marked[n]:
            new[memo.columns[n]] += 1
            if not read_field_number(memo.text, memo.starts[n], memo.starts[n + 1], 46)[1]:
                unusual[count] = n
                count += 1
    return count
