"""Writing the pages of a report: report.html and report.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from onebit.errors import printable
from onebit.experiment.report.html_page import html_page
from onebit.experiment.report.markdown_page import markdown_page
from onebit.experiment.report.section import Front, Section


def write_pages(sections: Sequence[Section], out: Path, front: Front) -> list[Path]:
    """Write report.html and report.md into a directory and return them.

    Names of users may have characters that a terminal obeys or that no file can hold: they are
    escaped.
    """
    html, markdown = out / "report.html", out / "report.md"
    html.write_text(printable(html_page(sections, front)), "utf-8")
    markdown.write_text(printable(markdown_page(sections, out, front)), "utf-8")
    return [html, markdown]
