"""Lines that cannot be read: the first one ends the work in a sentence, or all are counted."""

from __future__ import annotations

import sys

from onebit.errors import BadInput
from onebit.naming.params import short_repr

_told: set[str] = set()


def tell(sentence: str) -> None:
    """Say something on stderr, but never twice: many trials may read one file."""
    if sentence not in _told:
        _told.add(sentence)
        print(sentence, file=sys.stderr, flush=True)


class Bad:
    """What was wrong in one pass over a file."""

    def __init__(self, name: str, skip: bool, unit: str = "line") -> None:
        self.name, self.skip, self.unit = name, skip, unit
        self.count = 0
        self.first = ""
        self.weights = 0

    def line(self, number: int, must: str, came: str) -> None:
        """Refuse a line with the one sentence, or count it if bad lines are to be skipped."""
        sentence = f"{self.name}: {self.unit} {number} must {must}, got {short_repr(came)}."
        if not self.skip:
            raise BadInput(sentence)
        self.first = self.first or sentence.removeprefix(f"{self.name}: ")
        self.count += 1

    def report(self) -> None:
        """Say how many lines were skipped, and what else was not used."""
        if self.count:
            lines = f"{self.unit} was" if self.count == 1 else f"{self.unit}s were"
            tell(f"{self.name}: {self.count:,} bad {lines} skipped; the first: {self.first}")
        if self.weights:
            tell(f"{self.name}: {self.weights:,} importance weights other than 1 were not used.")
