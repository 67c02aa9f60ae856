"""Explorers: how scores become the probabilities with which labels are played.

An explorer is a NamedTuple of declared parameters and arrays, decorated with `explorer`, and one
kernel: `explore(explorer, situation, greedy, probs)`. It may implement `greedy_label` and
`greedy_probs`, `marginals`, `adapt`, `shown_labels` and `counts_as_correct` as well (see
`onebit.kernel.exploration`). Two methods are optional: `among_error(count)` returns why it cannot
choose among so few labels, or None; the static method `stand_in(given)` returns the name of another
explorer to use with the given parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar, overload

from onebit.naming.catalog import Catalog

__all__ = ["ExplorerTraits", "explorer", "find", "importable", "name_of", "names", "traits"]

T = TypeVar("T")

_catalog = Catalog("onebit.explorers", "explorer")
names, find, name_of = _catalog.names, _catalog.find, _catalog.name
importable = _catalog.importable


#: What an explorer may need of a learner, in words.
NEEDS = {
    "scores": "scores",
    "estimates": "scores that estimate the probability of being right",
    "widths": "a confidence width of each score",
}


class ExplorerTraits(NamedTuple):
    """What an explorer's class was declared with, see `explorer`.

    Attributes
    ----------
    needs : str
        What it needs of a learner: "scores", "estimates" or "widths".
    """

    needs: str


@overload
def explorer(kind: type[T]) -> type[T]: ...


@overload
def explorer(*, needs: str) -> Callable[[type[T]], type[T]]: ...


def explorer(
    kind: type[T] | None = None, *, needs: str = "scores"
) -> type[T] | Callable[[type[T]], type[T]]:
    """Declare a NamedTuple to be an explorer; a class decorator, with or without arguments.

    Parameters
    ----------
    kind : type
        A NamedTuple with declared parameters.
    needs : str, default "scores"
        What it needs of a learner: any "scores", "estimates" (scores that estimate the
        probability of being right, see `onebit.learners.learner`), or "widths" (the learner
        implements `onebit.kernel.exploration.width`). Other learners are refused.

    Returns
    -------
    type or callable
        The same class; without `kind` a decorator that returns it.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> @explorer(needs="estimates")
    ... class Doubtful(NamedTuple):
    ...     pass
    >>> traits(Doubtful).needs
    'estimates'
    """

    def declare(kind: type[T]) -> type[T]:
        _catalog.declare(kind, ExplorerTraits(needs))
        return kind

    return declare if kind is None else declare(kind)


def traits(kind: type) -> ExplorerTraits:
    """Return what an explorer's class was declared with.

    Parameters
    ----------
    kind : type
        An explorer's class.

    Returns
    -------
    ExplorerTraits
        The arguments of its `explorer` decorator.

    Raises
    ------
    BadInput
        If the class was not declared as an explorer.

    Examples
    --------
    >>> traits(find("fastcb")).needs
    'estimates'
    """
    found = _catalog.traits(kind)
    assert isinstance(found, ExplorerTraits)
    return found
