"""The report as one HTML file that needs no other file and no network."""

from __future__ import annotations

import base64
import html
import itertools
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from onebit.experiment.report.canvas import darken
from onebit.experiment.report.row_texts import (
    NOT_PLAYED,
    footer,
    note_line,
    paragraphs,
    table_texts,
)
from onebit.experiment.report.section import Front, Section

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
.reproduced { color: #0a7d4f; } .lower, .higher { color: #b3541e; }
@media (prefers-color-scheme: dark) {
  .reproduced { color: #4cc38a; } .lower, .higher { color: #f0a36b; } }
"""


def html_page(sections: Sequence[Section], front: Front) -> str:
    """Return the page; figures are inside it."""
    parts = [
        "<!doctype html><html lang=en><head><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        f"<title>onebit: {html.escape(front.title)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{html.escape(front.title)}</h1>",
        *(f"<p>{html.escape(part)}</p>" for part in front.intro.split("\n\n")),
        _contents(sections),
    ]
    heading = ""
    for section in sections:
        if section.heading != heading:
            heading = section.heading
            parts.append(f"<h2>{html.escape(heading)}</h2>")
            parts.append(f"<p class=soft>{html.escape(section.reference)}</p>")
        parts.append(_section(section))
    return "\n".join([*parts, "</body></html>\n"])


def _contents(sections: Sequence[Section]) -> str:
    """Return links to all sections, with how many numbers were reproduced."""
    if len(sections) < 2:
        return ""
    items = []
    for section in sections:
        verdicts = [row.verdict for row in section.rows if row.verdict]
        good = verdicts.count("reproduced")
        count = f" <span class=soft>{good} of {len(verdicts)} reproduced</span>" if verdicts else ""
        count = " <span class=soft>not run</span>" if section.missing else count
        title = html.escape(section.title)
        items.append(f"<li><a href='#{section.name}'>{title}</a>{count}</li>")
    return f"<ul class=contents>{''.join(items)}</ul>"


def _section(section: Section) -> str:
    escape = html.escape
    parts = [
        f"<h3 id='{section.name}'>{escape(section.title)}</h3>",
        *(f"<p>{_code(escape(text))}</p>" for text in paragraphs(section)),
    ]
    if section.missing:
        parts.append(f"<p><b>{NOT_PLAYED}:</b> {_code(escape(section.missing))}</p>")
    if section.rows:
        classes = [row.verdict.split()[0] if row.verdict else "" for row in section.rows]
        parts.append(_table(*table_texts(section.rows), classes))
        parts.append(f"<p class=soft>{_code(escape(note_line(section.rows)))}</p>")
    parts += [_table(table.header, table.texts(), ()) for table in section.tables]
    pictures = [_picture(path) for path in section.figures if path.suffix == ".svg"]
    if pictures:
        many = " many" if len(pictures) > 1 else ""
        parts.append(f"<div class='figures{many}'>{''.join(pictures)}</div>")
    parts.append(f"<p class=soft>{_code(escape(footer(section)))}</p>")
    return "\n".join(parts)


def _code(text: str) -> str:
    """Return escaped text with `...` as code elements."""
    return re.sub("`([^`]*)`", r"<code>\1</code>", text)


def _picture(path: Path) -> str:
    """Return a figure as data URLs, one for light and one for dark pages."""
    svg = path.read_text()
    light, dark = (
        f"data:image/svg+xml;base64,{base64.b64encode(text.encode()).decode()}"
        for text in (svg, darken(svg))
    )
    return (
        f"<picture><source media='(prefers-color-scheme: dark)' srcset='{dark}'>"
        f"<img alt='{html.escape(path.stem)}' src='{light}'></picture>"
    )


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], classes: Sequence[str]) -> str:
    """Return a table; `classes` gives the verdict of each row its CSS class."""
    words = [_is_words(column) for column in zip(*rows, strict=True)]
    head = _cells("th", [_kind("", column) for column in words], map(html.escape, header))
    place = header.index("verdict") if any(classes) else 0
    body = []
    for row, verdict_class in itertools.zip_longest(rows, classes, fillvalue=""):
        texts = [html.escape(text) for text in row]
        if verdict_class:
            verdict, mark, note = texts[place].partition(" [")
            texts[place] = f"<b class={verdict_class}>{verdict}</b>{mark}{note}"
        body.append(f"<tr>{_cells('td', map(_kind, row, words), texts)}</tr>")
    return f"<div class=wide><table><tr>{head}</tr>{''.join(body)}</table></div>"


def _cells(tag: str, kinds: Iterable[str], texts: Iterable[str]) -> str:
    return "".join(
        f"<{tag} class='{kind}'>{text}</{tag}>" for kind, text in zip(kinds, texts, strict=True)
    )


def _is_words(column: Sequence[str]) -> bool:
    """Return whether most cells of a column are words, not numbers."""
    filled = [text[0] not in "+-±0123456789" for text in column if text]
    return 2 * sum(filled) > len(filled)


def _kind(text: str, words: bool) -> str:
    """Return the CSS class of a cell: numbers are aligned right, words left."""
    if not words:
        return ""
    return "words" if len(text) > 20 else "words word"
