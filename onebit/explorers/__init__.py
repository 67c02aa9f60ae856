"""Explorers: how scores become the probabilities with which labels are played.

An explorer is a NamedTuple of declared parameters and one body: `explore`. It may
also say which label leads, what is shown and what counts as served (see `round`),
and a static method `stand_in(given)` may name another explorer for some parameters.
"""

from __future__ import annotations

from typing import TypeVar

from onebit.naming.catalog import Catalog

T = TypeVar("T")

_catalog = Catalog("onebit.explorers", "explorer")
names, find, name_of = _catalog.names, _catalog.find, _catalog.name
importable = _catalog.importable


def explorer(kind: type[T]) -> type[T]:
    """Declare a NamedTuple to be an explorer."""
    _catalog.declare(kind, None)
    return kind
