"""Explorers: how scores become the probabilities with which labels are played.

An explorer is a NamedTuple of declared parameters and arrays, decorated with `explorer`, and one
kernel: `explore(explorer, situation, greedy, probs)`. It may implement `greedy_label` and
`greedy_probs`, `marginals`, `adapt`, `shown_labels` and `counts_as_correct` as well (see
`onebit.kernel.exploration`). Two methods are optional: `among_error(count)` returns why it cannot
choose among so few labels, or None; the static method `stand_in(given)` returns the name of another
explorer to use with the given parameters.
"""

from __future__ import annotations

from typing import TypeVar

from onebit.naming.catalog import Catalog

__all__ = ["explorer", "find", "importable", "name_of", "names"]

T = TypeVar("T")

_catalog = Catalog("onebit.explorers", "explorer")
names, find, name_of = _catalog.names, _catalog.find, _catalog.name
importable = _catalog.importable


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
