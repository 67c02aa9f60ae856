"""Formats: how rows and labels are written in a file, one format a file.

A format is a NamedTuple of declared parameters with three methods. `layout`
returns what the features are if that is known without reading; `survey` goes
over the file once to find it out; `batches` reads the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from onebit.naming.catalog import Catalog

T = TypeVar("T")


class FormatTraits(NamedTuple):
    """What a format file declares about its format: endings, and whether it is our own."""

    endings: tuple[str, ...]
    packed: bool


_catalog = Catalog("onebit.streams.formats", "format", mark="file_format")
names, find, name_of = _catalog.names, _catalog.find, _catalog.name
importable = _catalog.importable


def file_format(*endings: str, packed: bool = False) -> Callable[[type[T]], type[T]]:
    """Declare a NamedTuple to be a format of files with these endings."""

    def declare(kind: type[T]) -> type[T]:
        _catalog.declare(kind, FormatTraits(endings, packed))
        return kind

    return declare


def traits(kind: type) -> FormatTraits:
    """Return what a format was declared with."""
    found = _catalog.traits(kind)
    assert isinstance(found, FormatTraits)
    return found


def by_ending(ending: str) -> str | None:
    """Return the name of the format with this ending, if any has it."""
    known = importable(lambda broken: None)
    return next((name for name, kind in known if ending in traits(kind).endings), None)
