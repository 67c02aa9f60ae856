"""Formats: how rows and labels are written in a file, one format a file.

A format is a NamedTuple of declared parameters with three methods. `layout`
returns what the features are if that is known without reading; `survey` goes
over the file once to find it out; `batches` reads the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from onebit.catalog import Catalog
from onebit.rows import SparseRows
from onebit.state import Column
from onebit.streams.files.bad import Bad
from onebit.streams.files.labels import Spelled
from onebit.streams.files.sheet import Longs
from onebit.streams.files.source import Source

T = TypeVar("T")


class Layout(NamedTuple):
    """What the features of a file are: how many, which columns they make, a format's own notes."""

    features: int
    columns: tuple[Column, ...] = ()
    notes: Any = None


class Batch(NamedTuple):
    """Some rows as they were read: features in any order, labels as spelled, and their lines.

    The labels and lines are good until the next batch is asked for.
    """

    rows: SparseRows
    labels: Spelled
    lines: Longs


class Reading(NamedTuple):
    """One pass over a file: where its bytes come from, and what becomes of bad lines."""

    source: Source
    bad: Bad


class Format(Protocol):
    """What every format does."""

    def layout(self, repeatable: bool) -> Layout | None:
        """Return the features without reading; None if a repeatable file must be read for it."""

    def survey(self, reading: Reading, see: Callable[[Batch], object]) -> Layout:
        """Go over the file once, show every batch to `see`, and return what the features are."""

    def batches(self, reading: Reading, layout: Layout) -> Iterator[Batch]:
        """Read the rows."""


class FormatFacts(NamedTuple):
    """What a format file declares about its format: endings, and whether it is our own."""

    endings: tuple[str, ...]
    packed: bool


_catalog = Catalog("streams.formats", "format", mark="file_format")
names, find, name_of = _catalog.names, _catalog.find, _catalog.name
ready = _catalog.ready


def file_format(*endings: str, packed: bool = False) -> Callable[[type[T]], type[T]]:
    """Declare a NamedTuple to be a format of files with these endings."""

    def declare(kind: type[T]) -> type[T]:
        _catalog.declare(kind, FormatFacts(endings, packed))
        return kind

    return declare


def facts(kind: type) -> FormatFacts:
    """Return what a format was declared with."""
    found = _catalog.facts(kind)
    assert isinstance(found, FormatFacts)
    return found


def by_ending(ending: str) -> str | None:
    """Return the name of the format with this ending, if any has it."""
    known = ready(lambda broken: None)
    return next((name for name, kind in known if ending in facts(kind).endings), None)


def no_rows(count: int) -> SparseRows:
    """Return so many rows without features, for a pass that looks only at labels."""
    return SparseRows(np.zeros(count + 1, np.int64), np.empty(0, np.int32), np.empty(0))
