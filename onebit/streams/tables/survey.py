"""What a pass over a table finds in a column: gaps, values, a sample, what is no number."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from onebit.streams.tables.fields import MISSING, plain_number, plain_numbers

#: Columns with more values than this are hashed.
MOST_VALUES = 4096
#: Fields that are looked at closely, the first that are not missing.
SAMPLE = 2000
#: Once a column has more values than this that are no numbers, no more are looked for.
_MOST_OTHERS = 1000


class ColumnSurvey:
    """What was found in a column so far.

    `values` are its different fields, unless there are more than MOST_VALUES; `others` are those
    that are not plainly numbers. Missing fields are in neither.
    """

    def __init__(self) -> None:
        self.rows = self.gaps = 0
        self.sample: list[str] = []
        self.values: dict[str, None] = {}
        self.others: dict[str, None] = {}
        self.too_many = False

    def add(self, fields: Sequence[str]) -> None:
        """Add some fields of the column."""
        gaps = sum(map(MISSING.__contains__, fields))
        different = fields
        if self.too_many and not (self.looks_for_others and plain_numbers(fields) is None):
            different = ()
        self.add_counted(len(fields), gaps, fields, dict.fromkeys(different))

    def add_counted(
        self, rows: int, gaps: int, first: Iterable[str], different: Iterable[str]
    ) -> None:
        """Add some fields: how many, how many are missing, the first ones, the different ones.

        The first ones are used as long as the sample is not full. Of the different ones those
        are enough that were not seen before or, if there were too many, are no numbers.
        """
        self.rows += rows
        self.gaps += gaps
        if len(self.sample) < SAMPLE:
            present = (field for field in first if field not in MISSING)
            self.sample += itertools.islice(present, SAMPLE - len(self.sample))
        if not self.too_many:
            new = [f for f in different if f not in self.values and f not in MISSING]
            self.values |= dict.fromkeys(new)
            self._look_for_others(new)
            if len(self.values) > MOST_VALUES:
                self.too_many, self.values = True, {}
        elif self.looks_for_others:
            self._look_for_others([f for f in different if f not in MISSING])

    @property
    def looks_for_others(self) -> bool:
        """Whether values that are no numbers are still to be found."""
        return len(self.others) <= _MOST_OTHERS

    def _look_for_others(self, fields: Sequence[str]) -> None:
        if self.looks_for_others:
            self.others |= {field: None for field in fields if plain_number(field) is None}
