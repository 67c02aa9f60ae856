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
        self.too_many, self._different = False, 0

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
        new = [field for field in different if field not in MISSING]
        if not self.too_many:
            new = [field for field in new if field not in self.values]
            self.values |= dict.fromkeys(new)
        self.add_found(rows, gaps, first, len(new), new)
        if self.too_many:
            self.values = {}

    def add_found(
        self, rows: int, gaps: int, first: Iterable[str], new: int, others: Iterable[str]
    ) -> None:
        """Add some fields: how many, how many are missing, the first ones, what is new.

        That is the number of values that were not seen before, which the caller keeps, and those
        of them that may be no numbers; the latter also if there were too many values.
        """
        self.rows += rows
        self.gaps += gaps
        fields = iter(first)
        while (room := SAMPLE - len(self.sample)) > 0 and (
            some := [*itertools.islice(fields, room)]
        ):
            self.sample += [field for field in some if field not in MISSING]
        if self.looks_for_others:
            found = {field: None for field in others if plain_number(field) is None}
            self.others |= found
        if not self.too_many:
            self._different += new
            self.too_many = self._different > MOST_VALUES

    @property
    def looks_for_others(self) -> bool:
        """Whether values that are no numbers are still to be found."""
        return len(self.others) <= _MOST_OTHERS
