"""Writing the pages of a report: report.html and report.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from onebit.experiment.report.html_page import html_page
from onebit.experiment.report.markdown_page import markdown_page
from onebit.experiment.report.section import Front, Section


def write_pages(sections: Sequence[Section], out: Path, front: Front) -> list[Path]:
    """Write report.html and report.md into a directory and return them."""
    html, markdown = out / "report.html", out / "report.md"
    html.write_text(html_page(sections, front), "utf-8")
    markdown.write_text(markdown_page(sections, out, front), "utf-8")
    return [html, markdown]
