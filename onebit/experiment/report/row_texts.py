"""The texts of a section that the HTML page, the Markdown page and the terminal share."""

from __future__ import annotations

import math
from collections.abc import Sequence

from onebit.experiment.report.section import Row, Section

#: What stands before the reason why published numbers were not run.
NOT_PLAYED = "Not run on the paper's data"
HEADER = ("", "paper", "ours", "runs", "difference", "window", "verdict", "at",
          "chosen on other orders", "median", "range")  # fmt: skip
#: The column of verdicts and notes.
VERDICT = HEADER.index("verdict")


def row_texts(row: Row) -> list[str]:
    """Return the texts of a table row; errors in percent, slopes as they are."""
    show = _slope if row.quantity == "slope" else _percent
    paper = show(*row.published) if row.published else ""
    summary = row.summary
    if summary is None:
        blank = [""] * len(HEADER)
        return [row.name, paper, *blank[2:VERDICT], row.verdict, *blank[VERDICT + 1 :]]
    difference = summary.value - row.published[0] if row.published else math.nan
    return [
        row.name,
        paper,
        show(summary.value, summary.sd),
        f"{summary.runs}" if row.published else "",
        _difference(difference, row.quantity, "+"),
        _difference(row.window, row.quantity, "± "),
        row.verdict,
        summary.point,
        show(summary.other, summary.other_sd),
        show(summary.median, 0.0) if summary.runs > 1 else "",
        f"{show(summary.low, 0.0)} to {show(summary.high, 0.0)}" if summary.runs > 1 else "",
    ]


def table_texts(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of the main table, without empty columns.

    The column of verdicts also has the numbers of the notes, which `note_line` lists.
    """
    texts = [row_texts(row) for row in rows]
    notes = _notes(rows)
    for cells, row in zip(texts, rows, strict=True):
        number = f"[{notes.index(row.note) + 1}]" if row.note else ""
        cells[VERDICT] = f"{cells[VERDICT]} {number}".strip()
    kept = [n for n in range(len(HEADER)) if any(cells[n] for cells in texts)]
    header = [HEADER[n] for n in kept]
    if "paper" not in header:
        plain = {"ours": "error", "verdict": "note"}
        header = [plain.get(name, name) for name in header]
    return header, [[cells[n] for n in kept] for cells in texts]


def note_line(rows: Sequence[Row]) -> str:
    """Return the numbered notes of rows as one line."""
    return " ".join(f"[{n}] {note}." for n, note in enumerate(_notes(rows), 1))


def paragraphs(section: Section) -> list[str]:
    """Return the paragraphs of a section's text, each on one line."""
    return [" ".join(part.split()) for part in section.text.strip().split("\n\n")]


def footer(section: Section) -> str:
    """Return the line below a section: failures, runs, time, and the command for it."""
    counts = {len(group) for row in section.rows for group in row.results.values()}
    runs = " to ".join(f"{n}" for n in sorted({min(counts), max(counts)})) if counts else ""
    runs = f"{runs} run{'' if runs == '1' else 's'} each, " if runs else ""
    time = f"{section.seconds:,.1f} s of computing on one core. " if section.seconds else ""
    failed = ", ".join(section.failed)
    lost = f"Not shown, because a run failed: {failed}. " if failed else ""
    command = f"Run just this one: `{section.command}`" if section.command else ""
    return f"{lost}{runs}{time}{command}".strip()


def _notes(rows: Sequence[Row]) -> list[str]:
    """Return the different notes of rows, in order."""
    return list(dict.fromkeys(row.note for row in rows if row.note))


def _difference(value: float, quantity: str, sign: str) -> str:
    """Return a difference with one more digit than papers print, and its sign."""
    if math.isnan(value):
        return ""
    text = f"{value:.3f}" if quantity == "slope" else f"{value * 100:.2f}"
    return text if value < 0 else f"{sign}{text}"


def _percent(value: float, sd: float) -> str:
    if math.isnan(value):
        return ""
    digits = 1 if value >= 0.01 else 4
    spread = f" ± {sd * 100:.{digits}f}" if sd and not math.isnan(sd) else ""
    return f"{value * 100:.{digits}f}{spread}"


def _slope(value: float, sd: float) -> str:
    if math.isnan(value):
        return ""
    return f"{value:.2f}" + (f" ± {sd:.2f}" if sd and not math.isnan(sd) else "")
