"""Explorers: how scores become the probabilities with which labels are played.

An explorer is a NamedTuple of declared parameters and one body: `explore`.
"""

from __future__ import annotations

from typing import TypeVar

from onebit.catalog import Catalog

T = TypeVar("T")

_catalog = Catalog("explorers", "explorer")
names, find, name_of = _catalog.names, _catalog.find, _catalog.name


def explorer(kind: type[T]) -> type[T]:
    """Declare a NamedTuple to be an explorer."""
    _catalog.declare(kind, None)
    return kind
