"""A section of a report: what the writers of pages, terminal tables and data files take.

Papers' experiments, comparisons and sweeps all become sections; nothing here knows which.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from onebit.experiment.report.summary import GridSummary
from onebit.experiment.report.table import Table
from onebit.experiment.run.trial import Result


class Row(NamedTuple):
    """One number of a section's main table, with its results by grid point.

    `summary` is None if it was not run. `published` is the value and the standard deviation to
    compare with, if there is one, and `window` how far ours may be from it. `quantity` is
    "error" or "slope". `chance` is the probability that a true number lies outside the window.
    """

    name: str
    summary: GridSummary | None
    results: Mapping[str, Sequence[Result]] = {}
    quantity: str = "error"
    published: tuple[float, float] | None = None
    window: float = math.nan
    verdict: str = ""
    note: str = ""
    chance: float = 0.0


class Section(NamedTuple):
    """A part of a report.

    Consecutive sections with the same `heading` are grouped under it and its `reference`.
    Blank lines separate the paragraphs of `text`. `missing` is why what was published could not
    be run, "" if it was. `failed` has the names of rows that are left out because a run failed.
    `other_runs` are results that belong to no row, by name. `command` runs just this section
    again.
    """

    name: str
    title: str
    heading: str = ""
    reference: str = ""
    text: str = ""
    rows: Sequence[Row] = ()
    tables: Sequence[Table] = ()
    figures: Sequence[Path] = ()
    seconds: float = 0.0
    missing: str = ""
    failed: Sequence[str] = ()
    other_runs: Mapping[str, Sequence[Result]] = {}
    command: str = ""


class Front(NamedTuple):
    """The title and the introduction of a report; blank lines separate its paragraphs."""

    title: str
    intro: str
