"""Explorers: how scores become the probabilities with which labels are played.

An explorer is a NamedTuple of declared parameters and arrays, decorated with `explorer`, and one
kernel: `explore(explorer, situation, greedy, probs)`. It may implement `greedy_label` and
`greedy_probs`, `marginals`, `adapt`, `shown_labels` and `counts_as_correct` as well (see
`onebit.kernel.round`). Two methods are optional: `among_error(count)` returns why it cannot choose
among so few labels, or None; the static method `stand_in(given)` returns the name of another
explorer to use with the given parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from onebit.errors import BadInput
from onebit.naming.catalog import Catalog

__all__ = ["explorer", "find", "importable", "name_of", "names"]

T = TypeVar("T")

_catalog = Catalog("onebit.explorers", "explorer")


def explorer(kind: type[T]) -> type[T]:
    """Declare a NamedTuple to be an explorer; a class decorator.

    Parameters
    ----------
    kind : type
        A NamedTuple with declared parameters.

    Returns
    -------
    type
        The same class.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> @explorer
    ... class Alternating(NamedTuple):
    ...     pass
    """
    _catalog.declare(kind, None)
    return kind


def names() -> list[str]:
    """Return the names of all explorers.

    Returns
    -------
    list of str
        Sorted; those of onebit, and of entry points of the group "onebit.explorers".

    Examples
    --------
    >>> "epsilon" in names()
    True
    """
    return _catalog.names()


def find(name: str) -> type:
    """Return the class of an explorer.

    Parameters
    ----------
    name : str
        A name, or the dotted path package.module.Class of any declared explorer.

    Returns
    -------
    type
        The explorer's class.

    Raises
    ------
    BadInput
        If there is no such explorer, or if it cannot be imported.

    Examples
    --------
    >>> find("epsilon").__name__
    'Epsilon'
    """
    return _catalog.find(name)


def name_of(kind: type) -> str:
    """Return the name of an explorer's class, the inverse of `find`.

    Parameters
    ----------
    kind : type
        An explorer's class.

    Returns
    -------
    str
        Its name, or its dotted path if it has no name.

    Examples
    --------
    >>> name_of(find("epsilon"))
    'epsilon'
    """
    return _catalog.name(kind)


def importable(on_error: Callable[[BadInput], object]) -> Iterator[tuple[str, type]]:
    """Iterate over all explorers that can be imported.

    Parameters
    ----------
    on_error : callable
        Called with the BadInput of each that cannot be imported.

    Yields
    ------
    name : str
        The explorer's name.
    kind : type
        Its class.
    """
    return _catalog.importable(on_error)
