"""The page of the texts that onebit is built on: each item, where it is, and what shows it."""

from __future__ import annotations

from seed_text import Text, read_texts

_INTRO = """\
# The texts, item by item

onebit builds two papers, two lectures and a set of notes. Each of their algorithms, theorems,
definitions, data sets, figures, tables, experiments, claims, extensions and open problems is
listed here, with the file that has it and the test or the command that shows it, and below them
the lines of a text that mislead a reader. `make docs` writes this page from `docs/seeds.toml`; a
test fails if an item has no file, or if the test or command that shows it does not exist.
"""


def seeds_page() -> str:
    """Return the page in Markdown."""
    return "\n".join([_INTRO, *map(_section, read_texts())])


def _section(text: Text) -> str:
    lines = [
        f"## {text.reference}",
        "",
        "| item | kind | where | shown by |",
        "| --- | --- | --- | --- |",
    ]
    for item in text.items:
        name = item.name.replace("|", "\\|")
        lines.append(f"| {name} | {item.kind} | [{item.place}](../{item.place}) | `{item.shown}` |")
    if text.traps:
        lines += ["", "Readers' traps:", "", *(f"- {trap}." for trap in text.traps)]
    return "\n".join([*lines, ""])
