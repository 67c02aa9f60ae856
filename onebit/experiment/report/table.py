"""A table of facts: in the report, and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

Fact = str | int | float | None


class Facts(NamedTuple):
    """A table: what its columns are, and its rows; `brief` is the same for a terminal."""

    header: Sequence[str]
    rows: Sequence[Sequence[Fact]]
    brief: Facts | None = None

    def texts(self) -> list[list[str]]:
        """Return the rows as they are read by people."""
        return [[_text(fact) for fact in row] for row in self.rows]

    def write(self, path: Path) -> Path:
        """Write the table as CSV and return the file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(self.header)
            rows.writerows(["" if fact is None else fact for fact in row] for row in self.rows)
        return path


def _text(fact: Fact) -> str:
    if fact is None:
        return ""
    if isinstance(fact, float):
        return f"{fact:,.0f}" if abs(fact) >= 1000 else f"{fact:.4g}"
    return f"{fact:,}" if isinstance(fact, int) else fact
