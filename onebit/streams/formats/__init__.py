"""Formats: how rows and labels are written in a file, one file of code each.

A format is a NamedTuple of parameters with the methods of `onebit.streams.reading.batch.Format`:
`layout` returns the features if they are known without reading, `survey` finds them in a first
pass, and `batches` reads the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

from onebit.errors import BadInput
from onebit.naming.catalog import Catalog

__all__ = ["FormatTraits", "file_format", "find", "importable", "name_by_ending", "name_of",
           "names", "traits"]  # fmt: skip

T = TypeVar("T")

_catalog = Catalog("onebit.streams.formats", "format", mark="file_format")


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


def names() -> list[str]:
    """Return the names of all formats, built in or from entry points.

    Returns
    -------
    list of str
        The names, sorted.
    """
    return _catalog.names()


def find(name: str) -> type:
    """Return the class of a format.

    Parameters
    ----------
    name : str
        A name of `names()`, or a dotted path `package.module.Class`.

    Returns
    -------
    type
        The class that was declared with `file_format`.

    Raises
    ------
    BadInput
        If there is no such format, or its module cannot be imported.

    Examples
    --------
    >>> find("csv").__name__
    'Csv'
    """
    return _catalog.find(name)


def name_of(kind: type) -> str:
    """Return the name of a format's class.

    Parameters
    ----------
    kind : type
        The class.

    Returns
    -------
    str
        The name that `find` takes.
    """
    return _catalog.name(kind)


def importable(on_error: Callable[[BadInput], object]) -> Iterator[tuple[str, type]]:
    """Return all formats that can be imported.

    Parameters
    ----------
    on_error : callable
        Called with the BadInput of each format that cannot.

    Returns
    -------
    iterator of (str, type)
        Names and classes.
    """
    return _catalog.importable(on_error)


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
