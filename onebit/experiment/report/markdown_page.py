"""The report as a Markdown page, which shows the figures' PNG files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from onebit.experiment.report.row_texts import (
    NOT_PLAYED,
    footer,
    note_line,
    paragraphs,
    table_texts,
)
from onebit.experiment.report.section import Front, Section

#: A bar inside of a table.
BAR = r"\|"


def markdown_page(sections: Sequence[Section], out: Path, front: Front) -> str:
    """Return the page; paths of figures are relative to a directory."""
    parts = [f"# {front.title}", front.intro]
    heading = ""
    for section in sections:
        if section.heading != heading:
            heading = section.heading
            parts += [f"## {heading}", section.reference]
        parts += [f"### {section.title}", *paragraphs(section)]
        if section.missing:
            parts.append(f"**{NOT_PLAYED}:** {section.missing}")
        if section.rows:
            parts += [_table(*table_texts(section.rows)), note_line(section.rows)]
        parts += [_table(table.header, table.texts()) for table in section.tables]
        for path in section.figures:
            if path.suffix == ".png":
                parts.append(f"![{path.stem}]({path.relative_to(out).as_posix()})")
        parts.append(footer(section))
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', BAR) for cell in line)} |" for line in lines)
