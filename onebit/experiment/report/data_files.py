"""A report as data: every single result and every table as CSV, rows as JSON."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Sequence
from pathlib import Path

from onebit.experiment.report.section import Row, Section

_FIELDS = ("experiment", "cell", "point", "stream", "learner", "seed", "rounds", "mistakes",
           "error", "seconds")  # fmt: skip


def write_results_csv(sections: Sequence[Section], path: Path) -> Path:
    """Write every single result as a line of CSV and return the file."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow(_FIELDS)
        for section in sections:
            groups = [
                (row.name, point, group)
                for row in section.rows
                for point, group in row.results.items()
            ]
            groups += [(name, "", group) for name, group in section.other_runs.items()]
            for name, point, group in groups:
                lines.writerows(
                    [section.name, name, point, " ".join([r.stream, *r.transforms]),
                     r.learner, r.seed, r.rounds, r.mistakes, r.error, r.seconds]
                    for r in group
                )  # fmt: skip
    return path


def write_tables(sections: Sequence[Section], directory: Path) -> list[Path]:
    """Write the tables of sections as CSV, each file named after its section."""
    return [
        table.write_csv(directory / f"{section.name}.csv")
        for section in sections
        for table in section.tables
    ]


def row_json(section: Section, row: Row) -> str:
    """Return a row as a line of JSON."""
    published, published_sd = row.published or (None, None)
    fields: dict[str, object] = {
        "experiment": section.name,
        "cell": row.name,
        "quantity": row.quantity,
        "published": published,
        "published_sd": published_sd,
        **(row.summary._asdict() if row.summary else {}),
        "window": row.window,
        "verdict": row.verdict,
    }
    known = {
        name: None if isinstance(value, float) and math.isnan(value) else value
        for name, value in fields.items()
    }
    return json.dumps(known)
