"""The report of reproduced papers: one HTML file that opens anywhere, and the same as Markdown."""

from __future__ import annotations

import base64
import html
import itertools
import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from onebit.experiment.report.figure import darken
from onebit.experiment.report.reproduce import CellReport, Report

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --back: #fff; --line: #d8d8d8; --soft: #666; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --back: #16181c; --line: #3a3d44; --soft: #a0a0a0; } }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--back);
  max-width: 74rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; } h2 { margin-top: 3rem; font-size: 1.3rem; } h3 { margin-top: 2rem; }
p { max-width: 46rem; } .soft { color: var(--soft); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: right; }
th { vertical-align: bottom; } td { vertical-align: top; white-space: nowrap; }
.words { text-align: left; }
td.words { overflow-wrap: anywhere; min-width: 8.5rem; white-space: normal; }
td.words:first-child, td.words:last-child { min-width: 11rem; }
td.word { white-space: nowrap; min-width: 0; }
@media (min-width: 60rem) { td.words:first-child { min-width: 16rem; } }
.figures { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1rem 0; align-items: start; }
.figures picture { max-width: 100%; } .many picture { max-width: min(100%, 32rem); }
img { max-width: 100%; height: auto; display: block; }
a { color: inherit; } .contents { padding-left: 1.2rem; }
code { font-size: .9em; overflow-wrap: anywhere; }
.reproduced, .better { color: #0a7d4f; } .not { color: #b3541e; }
@media (prefers-color-scheme: dark) {
  .reproduced, .better { color: #4cc38a; } .not { color: #f0a36b; } }
"""

HEADER = ("", "paper", "ours", "at", "chosen on other orders", "median", "range", "verdict")


class Front(NamedTuple):
    """What stands at the head of a report."""

    title: str
    intro: str


def write_page(reports: Sequence[Report], out: Path, front: Front | None = None) -> list[Path]:
    """Write report.html and report.md and return them."""
    front = front or Front("The papers, run again", _intro(reports))
    page, text = out / "report.html", out / "report.md"
    page.write_text(_html(reports, front))
    text.write_text(_markdown(reports, out, front))
    return [page, text]


def row(cell: CellReport) -> list[str]:
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
        cell.verdict,
    ]


def table(cells: Sequence[CellReport]) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of a table of cells, without columns that say nothing.

    The last column has the numbers of the notes too, which `notes` spells out.
    """
    rows = [row(cell) for cell in cells]
    told = notes(cells)
    for texts, cell in zip(rows, cells, strict=True):
        number = f"[{told.index(cell.cell.note) + 1}]" if cell.cell.note else ""
        texts[-1] = f"{texts[-1]} {number}".strip()
    kept = [n for n in range(len(HEADER)) if any(texts[n] for texts in rows)]
    header = [HEADER[n] for n in kept]
    if "paper" not in header:
        header = ["error" if name == "ours" else name for name in header]
    return header, [[texts[n] for n in kept] for texts in rows]


def notes(cells: Sequence[CellReport]) -> list[str]:
    """Return the notes of cells, each once."""
    return list(dict.fromkeys(cell.cell.note for cell in cells if cell.cell.note))


def _noted(cells: Sequence[CellReport]) -> str:
    return " ".join(f"[{n}] {note}." for n, note in enumerate(notes(cells), 1))


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


def _html(reports: Sequence[Report], front: Front) -> str:
    parts = [
        "<!doctype html><html lang=en><head><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        f"<title>onebit: {html.escape(front.title)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{html.escape(front.title)}</h1>",
        f"<p>{html.escape(front.intro)}</p>",
        _contents(reports),
    ]
    title = ""
    for report in reports:
        if report.paper.title != title:
            title = report.paper.title
            parts.append(f"<h2>{html.escape(title)}</h2>")
            parts.append(f"<p class=soft>{html.escape(report.paper.reference)}</p>")
        parts.append(_section(report))
    return "\n".join([*parts, "</body></html>\n"])


def _contents(reports: Sequence[Report]) -> str:
    """Return links to all experiments, with how many numbers were reproduced or better."""
    if len(reports) < 2:
        return ""
    items = []
    for report in reports:
        words = [cell.verdict for cell in report.cells if cell.verdict]
        good = sum(word != "not reproduced" for word in words)
        count = f" <span class=soft>{good} of {len(words)}</span>" if words else ""
        count = " <span class=soft>not run</span>" if report.missing else count
        name, title = report.experiment.name, html.escape(report.experiment.title)
        items.append(f"<li><a href='#{name}'>{title}</a>{count}</li>")
    return f"<ul class=contents>{''.join(items)}</ul>"


def _section(report: Report) -> str:
    escape = html.escape
    parts = [
        f"<h3 id='{report.experiment.name}'>{escape(report.experiment.title)}</h3>",
        *(f"<p>{_code(escape(text))}</p>" for text in _paragraphs(report)),
    ]
    if report.missing:
        return "\n".join([*parts, f"<p><b>Not run:</b> {_code(escape(report.missing))}</p>"])
    if report.cells:
        words = [cell.verdict.split()[0] if cell.verdict else "" for cell in report.cells]
        parts.append(_table(*table(report.cells), words))
        parts.append(f"<p class=soft>{escape(_noted(report.cells))}</p>")
    parts += [_table(facts.header, facts.texts(), ()) for facts in report.tables]
    pictures = [_picture(path) for path in report.figures if path.suffix == ".svg"]
    if pictures:
        many = " many" if len(pictures) > 1 else ""
        parts.append(f"<div class='figures{many}'>{''.join(pictures)}</div>")
    parts.append(f"<p class=soft>{_code(escape(_footer(report)))}</p>")
    return "\n".join(parts)


def _code(text: str) -> str:
    """Return escaped text with what stands in backticks as code."""
    return re.sub("`([^`]*)`", r"<code>\1</code>", text)


def _picture(path: Path) -> str:
    """Return a figure for light pages and for dark ones, within the page itself."""
    svg = path.read_text()
    light, dark = (
        f"data:image/svg+xml;base64,{base64.b64encode(text.encode()).decode()}"
        for text in (svg, darken(svg))
    )
    return (
        f"<picture><source media='(prefers-color-scheme: dark)' srcset='{dark}'>"
        f"<img alt='{html.escape(path.stem)}' src='{light}'></picture>"
    )


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], words: Sequence[str]) -> str:
    """Return a table; a word for each row, if any, is the class of the first of its last cell."""
    kinds = [_kind(next(filter(None, column), "")) for column in zip(*rows, strict=True)]
    head = _cells("th", kinds, map(html.escape, header))
    body = []
    for row, word in itertools.zip_longest(rows, words, fillvalue=""):
        kinds = [*map(_kind, row[:-1]), "words" if words else _kind(row[-1])]
        last = html.escape(row[-1])
        if word:
            verdict, mark, note = last.partition(" [")
            last = f"<b class={word}>{verdict}</b>{mark}{note}"
        body.append(f"<tr>{_cells('td', kinds, [*map(html.escape, row[:-1]), last])}</tr>")
    return f"<div class=wide><table><tr>{head}</tr>{''.join(body)}</table></div>"


def _cells(tag: str, kinds: Sequence[str], texts: Iterable[str]) -> str:
    return "".join(
        f"<{tag} class='{kind}'>{text}</{tag}>" for kind, text in zip(kinds, texts, strict=True)
    )


def _kind(text: str) -> str:
    """Return the class of a cell: numbers stand to the right, words to the left."""
    if text[:1] in "-0123456789":  # also if there is nothing
        return ""
    return "words" if " " in text or len(text) > 20 else "words word"


def _paragraphs(report: Report) -> list[str]:
    return [" ".join(part.split()) for part in report.experiment.text.strip().split("\n\n")]


def _markdown(reports: Sequence[Report], out: Path, front: Front) -> str:
    parts = [f"# {front.title}", front.intro]
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
            parts += [_pipes(*table(report.cells)), _noted(report.cells)]
        parts += [_pipes(facts.header, facts.texts()) for facts in report.tables]
        for path in report.figures:
            if path.suffix == ".png":
                parts.append(f"![{path.stem}]({path.relative_to(out).as_posix()})")
        parts.append(_footer(report))
    return "\n\n".join(part for part in parts if part) + "\n"


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
        " than that. Where there is a grid, 'ours' is its best point on the same runs, which is"
        " biased low, and 'chosen on other orders' takes the best point of the other half of the"
        " runs, which is not."
    )


def _footer(report: Report) -> str:
    runs = f"{report.experiment.seeds} runs each, " if report.cells else ""
    time = f"{report.seconds:,.1f} s of computing on one core. " if report.seconds else ""
    failed = ", ".join(report.unfinished)
    lost = f"Not told, because a run failed: {failed}. " if failed else ""
    return f"{lost}{runs}{time}Run just this one: `{report.command}`"
