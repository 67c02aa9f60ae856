"""Learners: one file is one algorithm, and one name on the command line.

A learner is a NamedTuple of declared arrays and parameters, decorated with
what it hears, and two bodies: `score` and `learn`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from onebit.kernel.round import Bit, Feedback
from onebit.naming.catalog import Catalog
from onebit.naming.spec import Spec

T = TypeVar("T")


class LearnerTraits(NamedTuple):
    """What a learner file declares about its learner."""

    hears: type[Feedback]
    explorer: str
    row: str
    labels: int | None
    grows: bool


_catalog = Catalog("onebit.learners", "learner")
names, find, name_of = _catalog.names, _catalog.find, _catalog.name
importable = _catalog.importable


def learner(
    *,
    hears: type[Feedback] = Bit,
    explorer: str = "greedy",
    row: str = "features",
    labels: int | None = None,
    grows: bool = True,
) -> Callable[[type[T]], type[T]]:
    """Declare a NamedTuple to be a learner.

    `hears` is `Bit` or `Label` (full information); `explorer` is how it plays
    unless the user says otherwise; `row` is what it reads: "features", "few features"
    (it cannot deal with many), "advice" (a label number from each hypothesis) or "nothing";
    `labels` is how many labels it takes, if it cannot take any number; `grows` says whether
    labels can be added to a learner that has begun.
    """

    def declare(kind: type[T]) -> type[T]:
        _catalog.declare(kind, LearnerTraits(hears, explorer, row, labels, grows))
        return kind

    return declare


def traits(kind: type) -> LearnerTraits:
    """Return what a learner was declared with."""
    found = _catalog.traits(kind)
    assert isinstance(found, LearnerTraits)
    return found


def check_imported(spec: str) -> None:
    """Raise the sentence if a saved spec names code that the user has not imported."""
    name, params = Spec.parse(spec)
    words = [str(value) for value in params.values()]
    for each in (name, *(w for w in words if all(part.isidentifier() for part in w.split(".")))):
        _catalog.check_imported(each)
