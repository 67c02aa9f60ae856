"""Formats: how rows and labels are written in a file, one file of code each.

A format is a NamedTuple of parameters with the methods of `onebit.streams.reading.batch.Format`:
`layout` returns the features if they are known without reading, `survey` finds them in a first
pass, and `batches` reads the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from onebit.naming.catalog import Catalog

__all__ = ["FormatTraits", "file_format", "find", "importable", "name_by_ending", "name_of",
           "names", "traits"]  # fmt: skip

T = TypeVar("T")

_catalog = Catalog("onebit.streams.formats", "format", mark="file_format")
names, find, name_of = _catalog.names, _catalog.find, _catalog.name
importable = _catalog.importable


class FormatTraits(NamedTuple):
    """What a format was declared with; see `file_format`.

    Attributes
    ----------
    endings : tuple of str
        The endings of the names of such files, with the dot.
    packed : bool
        Whether a file has its labels and layout in it.
    """

    endings: tuple[str, ...]
    packed: bool


def file_format(*endings: str, packed: bool = False) -> Callable[[type[T]], type[T]]:
    """Declare a format.

    Parameters
    ----------
    *endings : str
        The endings of the names of such files, in lower case and with the dot.
    packed : bool, default False
        Whether a file has its labels and layout in it; the format then has one method,
        `open(source)`, that returns a `Stream`.

    Returns
    -------
    callable
        A decorator that returns the class unchanged.

    Examples
    --------
    >>> @file_format(".example")
    ... class Example(NamedTuple):
    ...     pass
    >>> traits(Example).endings
    ('.example',)
    """

    def declare(kind: type[T]) -> type[T]:
        _catalog.declare(kind, FormatTraits(endings, packed))
        return kind

    return declare


def traits(kind: type) -> FormatTraits:
    """Return what a format was declared with.

    Parameters
    ----------
    kind : type
        The class.

    Returns
    -------
    FormatTraits
        The arguments of `file_format`.

    Raises
    ------
    BadInput
        If the class was not declared with `file_format`.
    """
    found = _catalog.traits(kind)
    assert isinstance(found, FormatTraits)
    return found


def name_by_ending(ending: str) -> str | None:
    """Return the name of the format of files with an ending.

    Parameters
    ----------
    ending : str
        The ending, in lower case and with the dot.

    Returns
    -------
    str or None
        The name, None if no format has this ending.

    Examples
    --------
    >>> name_by_ending(".csv")
    'csv'
    """
    known = importable(lambda error: None)
    return next((name for name, kind in known if ending in traits(kind).endings), None)
