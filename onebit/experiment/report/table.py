"""A table for pages, the terminal and CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

Value = str | int | float | None


class Table(NamedTuple):
    """Column names and rows; `brief` is a narrower table for a terminal."""

    header: Sequence[str]
    rows: Sequence[Sequence[Value]]
    brief: Table | None = None

    def texts(self) -> list[list[str]]:
        """Return the rows formatted for reading."""
        return [[_text(value) for value in row] for row in self.rows]

    def write_csv(self, path: Path) -> Path:
        """Write the table as CSV and return the file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "w", newline="", encoding="utf-8") as file:
            lines = csv.writer(file)
            lines.writerow(self.header)
            lines.writerows(["" if value is None else value for value in row] for row in self.rows)
        return path


def _text(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else value
