"""The report of reproduced papers: one HTML file that opens anywhere, and the same as Markdown."""

from __future__ import annotations

import base64
import html
import itertools
import math
from collections.abc import Sequence
from pathlib import Path

from onebit.experiment.facts import Facts
from onebit.experiment.reproduce import CellReport, Report

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --back: #fff; --line: #d8d8d8; --soft: #666; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --back: #16181c; --line: #3a3d44; --soft: #a0a0a0; } }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--back);
  max-width: 68rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; } h2 { margin-top: 3rem; font-size: 1.3rem; } h3 { margin-top: 2rem; }
p { max-width: 46rem; } .soft { color: var(--soft); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: right; }
th { vertical-align: bottom; } td { vertical-align: top; white-space: nowrap; }
.words { text-align: left; }
td.words { overflow-wrap: anywhere; min-width: 8.5rem; white-space: normal; }
td.words:first-child, td.words:last-child { min-width: 11rem; }
img { max-width: 100%; height: auto; background: #fff; border-radius: 6px; margin: .5rem 0; }
code { font-size: .9em; overflow-wrap: anywhere; }
.reproduced, .better { color: #0a7d4f; } .not { color: #b3541e; }
@media (prefers-color-scheme: dark) {
  .reproduced, .better { color: #4cc38a; } .not { color: #f0a36b; } }
"""

_HEADER = ("", "paper", "ours", "at", "chosen on other orders", "median", "range", "verdict")


def write_page(reports: Sequence[Report], out: Path) -> list[Path]:
    """Write report.html and report.md and return them."""
    page, text = out / "report.html", out / "report.md"
    page.write_text(_html(reports))
    text.write_text(_markdown(reports, out))
    return [page, text]


def _row(cell: CellReport) -> list[str]:
    """Return the texts of a table row; errors in percent, slopes as they are."""
    show = _slope if cell.cell.quantity == "slope" else _percent
    published, ours = cell.cell.published, cell.ours
    return [
        cell.cell.name,
        show(published.value, published.sd) if published else "",
        show(ours.value, ours.sd),
        ours.point,
        show(ours.other, ours.other_sd),
        show(ours.median, 0.0),
        f"{show(ours.low, 0.0)} to {show(ours.high, 0.0)}",
        f"{cell.verdict} ({cell.cell.note})"
        if cell.verdict and cell.cell.note
        else cell.verdict or cell.cell.note,
    ]


def line(report: Report, cell: CellReport) -> str:
    """Return a cell as a line for the terminal."""
    name, paper, ours, point, *_ = _row(cell)
    where = f" at {point}" if point else ""
    published = f" (paper {paper}): {cell.verdict}" if paper else ""
    return f"{report.experiment.name}: {name}: {ours}{where}{published}"


def lines(report: Report, table: Facts) -> list[str]:
    """Return the rows of a table of facts as lines for the terminal."""
    return [
        f"{report.experiment.name}: {row[0]}: "
        + ", ".join(
            f"{name} {text}".strip()
            for name, text in zip(table.header[1:], row[1:], strict=True)
            if text
        )
        for row in table.texts()
    ]


def _percent(value: float, sd: float) -> str:
    if math.isnan(value):
        return ""
    digits = 1 if value >= 0.01 else 3
    spread = f" ± {sd * 100:.{digits}f}" if sd and not math.isnan(sd) else ""
    return f"{value * 100:.{digits}f}{spread}"


def _slope(value: float, sd: float) -> str:
    if math.isnan(value):
        return ""
    return f"{value:.2f}" + (f" ± {sd:.2f}" if sd and not math.isnan(sd) else "")


def _html(reports: Sequence[Report]) -> str:
    parts = [
        "<!doctype html><html lang=en><head><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        f"<title>onebit: the papers, run again</title><style>{_STYLE}</style></head><body>",
        "<h1>The papers, run again</h1>",
        f"<p>{html.escape(_intro(reports))}</p>",
    ]
    title = ""
    for report in reports:
        if report.paper.title != title:
            title = report.paper.title
            parts.append(f"<h2>{html.escape(title)}</h2>")
            parts.append(f"<p class=soft>{html.escape(report.paper.reference)}</p>")
        parts.append(_section(report))
    return "\n".join([*parts, "</body></html>\n"])


def _section(report: Report) -> str:
    escape = html.escape
    parts = [
        f"<h3 id={report.experiment.name}>{escape(report.experiment.title)}</h3>",
        *(f"<p>{escape(text)}</p>" for text in _paragraphs(report)),
    ]
    if report.missing:
        return "\n".join([*parts, f"<p><b>Not run:</b> {escape(report.missing)}</p>"])
    if report.cells:
        words = [cell.verdict.split()[0] if cell.verdict else "" for cell in report.cells]
        parts.append(_table(_HEADER, [_row(cell) for cell in report.cells], words))
    parts += [_table(facts.header, facts.texts(), ()) for facts in report.tables]
    for path in report.figures:
        if path.suffix == ".png":
            data = base64.b64encode(path.read_bytes()).decode()
            parts.append(f"<img alt='{escape(path.stem)}' src='data:image/png;base64,{data}'>")
    parts.append(f"<p class=soft>{escape(_footer(report))}</p>")
    return "\n".join(parts)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], words: Sequence[str]) -> str:
    """Return a table; a word for each row, if any, is the class of its last cell."""
    kinds = [_kind(text) for text in rows[0]] if rows else [""] * len(header)
    head = _cells("th", [*kinds[:-1], "words"], header)
    body = []
    for row, word in itertools.zip_longest(rows, words, fillvalue=""):
        kinds = [*map(_kind, row[:-1]), f"words {word}".strip()]
        body.append(f"<tr>{_cells('td', kinds, row)}</tr>")
    return f"<div class=wide><table><tr>{head}</tr>{''.join(body)}</table></div>"


def _cells(tag: str, kinds: Sequence[str], texts: Sequence[str]) -> str:
    return "".join(
        f"<{tag} class='{kind}'>{html.escape(text)}</{tag}>"
        for kind, text in zip(kinds, texts, strict=True)
    )


def _kind(text: str) -> str:
    """Return the class of a cell: numbers stand to the right, words to the left."""
    return "" if text[:1] in "-0123456789" else "words"


def _paragraphs(report: Report) -> list[str]:
    return [" ".join(part.split()) for part in report.experiment.text.strip().split("\n\n")]


def _markdown(reports: Sequence[Report], out: Path) -> str:
    parts = ["# The papers, run again", _intro(reports)]
    title = ""
    for report in reports:
        if report.paper.title != title:
            title = report.paper.title
            parts += [f"## {title}", report.paper.reference]
        parts += [f"### {report.experiment.title}", *_paragraphs(report)]
        if report.missing:
            parts.append(f"**Not run:** {report.missing}")
            continue
        if report.cells:
            parts.append(_pipes(_HEADER, [_row(cell) for cell in report.cells]))
        parts += [_pipes(facts.header, facts.texts()) for facts in report.tables]
        for path in report.figures:
            if path.suffix == ".png":
                parts.append(f"![{path.stem}]({path.relative_to(out).as_posix()})")
        parts.append(_footer(report))
    return "\n\n".join(parts) + "\n"


def _pipes(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _intro(reports: Sequence[Report]) -> str:
    words = [cell.verdict for report in reports for cell in report.cells if cell.verdict]
    counts = ", ".join(
        f"{words.count(word)} {word}" for word in ("reproduced", "better", "not reproduced")
    )
    count = f"Of {len(words)} published numbers: {counts}. " if words else ""
    return (
        f"{count}Errors are of played labels, in percent,"
        " with the standard deviation over single runs. A number is reproduced if it differs from"
        " the paper's by at most two standard deviations of the difference, better if it is lower"
        " than that. 'Chosen on other orders' takes the best point of the grid from the other half"
        " of the runs."
    )


def _footer(report: Report) -> str:
    runs = f"{report.experiment.seeds} runs each, " if report.cells else ""
    time = f"{report.seconds:.0f} s of computing. " if report.seconds else ""
    failed = ", ".join(report.unfinished)
    lost = f"Not told, because a run failed: {failed}. " if failed else ""
    return f"{lost}{runs}{time}Run just this one: onebit reproduce {report.experiment.name}"
