"""Malformed lines: the first one raises BadInput, or all of them are skipped and counted."""

from __future__ import annotations

import sys

from onebit.errors import BadFile, printable
from onebit.naming.params import short_repr

_notified: set[str] = set()


def notify_once(message: str) -> None:
    """Print a message on stderr, once a process: many trials may read the same file."""
    if message not in _notified:
        _notified.add(message)
        sys.stderr.write(
            f"{printable(message)}\n"
        )  # in one piece: threads may write at the same time
        sys.stderr.flush()


class BadLines:
    """The malformed lines, and the unused weights, of one pass over a file."""

    def __init__(self, name: str, skip: bool, unit: str = "line") -> None:
        self.name, self.skip, self.unit = name, skip, unit
        self.count = 0
        #: The number and the message of the first one; values are checked after a piece is parsed.
        self.first = (sys.maxsize, "")
        self.unused_weights = 0

    def reject(self, number: int, must: str, got: str) -> None:
        """Raise BadInput for a line, or count it if malformed lines are skipped."""
        message = f"{self.name}: {self.unit} {number} must {must}, got {short_repr(got)}."
        if not self.skip:
            raise BadFile(message)
        self.first = min(self.first, (number, message.removeprefix(f"{self.name}: ")))
        self.count += 1

    def report(self) -> None:
        """Print how many lines were skipped and how many weights were not used."""
        if self.count:
            lines = f"{self.unit} was" if self.count == 1 else f"{self.unit}s were"
            notify_once(
                f"{self.name}: {self.count:,} bad {lines} skipped; the first: {self.first[1]}"
            )
        if self.unused_weights:
            notify_once(
                f"{self.name}: {self.unused_weights:,} importance weights other than 1"
                " were not used."
            )
