"""Learners: one file is one algorithm, and one name on the command line.

A learner is a NamedTuple of declared arrays and parameters, decorated with `learner`, and two
kernels: `score` and `learn` (see `onebit.kernel.round`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from onebit.kernel.round import Bit, Feedback
from onebit.naming.catalog import Catalog
from onebit.naming.spec import Spec

__all__ = [
    "DEFAULT",
    "LearnerTraits",
    "check_imported",
    "find",
    "importable",
    "learner",
    "name_of",
    "names",
    "traits",
]

T = TypeVar("T")

#: The learner of an agent, and of `onebit play`, where none is named.
DEFAULT = "auto"

_catalog = Catalog("onebit.learners", "learner")
names, find, name_of = _catalog.names, _catalog.find, _catalog.name
importable = _catalog.importable


class LearnerTraits(NamedTuple):
    """What a learner's class was declared with, see `learner`.

    Attributes
    ----------
    hears : type
        The feedback that it learns from: `Bit` or `Label`.
    explorer : str
        The name of its default explorer.
    row : str
        What it reads: "features", "few features", "advice" or "nothing".
    labels : int or None
        The only number of labels that it supports, None if any.
    grows : bool
        Whether labels can be added to a learner that has begun.
    estimates : bool
        Whether its scores estimate the probability that each label is right.
    scales_rows : bool
        Whether it scales numeric columns itself, or does not depend on their scale.
    widens : bool
        Whether features can be added to a learner that has begun.
    sets : bool
        Whether a learner with full information also hears sets of right labels.
    """

    hears: type[Feedback]
    explorer: str
    row: str
    labels: int | None
    grows: bool = True
    estimates: bool = False
    scales_rows: bool = False
    widens: bool = False
    sets: bool = False


def learner(
    *,
    hears: type[Feedback] = Bit,
    explorer: str = "greedy",
    row: str = "features",
    labels: int | None = None,
    grows: bool = True,
    estimates: bool = False,
    scales_rows: bool = False,
    widens: bool = False,
    sets: bool = False,
) -> Callable[[type[T]], type[T]]:
    """Declare a NamedTuple to be a learner; a class decorator.

    Parameters
    ----------
    hears : type, default Bit
        `Bit` for bandit feedback, `Label` for full information.
    explorer : str, default "greedy"
        The name of its default explorer.
    row : str, default "features"
        What it reads: "features", "few features" (it supports only narrow rows), "advice" (a
        label number from each hypothesis) or "nothing".
    labels : int, optional
        The only number of labels that it supports; any number if omitted.
    grows : bool, default True
        Whether labels can be added to a learner that has begun.
    estimates : bool, default False
        Whether its scores estimate the probability that each label is right: numbers in [0, 1],
        of which that of the played label is close to how often it is right. Some explorers need
        such scores.
    scales_rows : bool, default False
        Whether it scales numeric columns itself, or does not depend on their scale: then it gets
        the rows of tables as they are.
    widens : bool, default False
        Whether features can be added to a learner that has begun, because it learns the same of a
        row, bit for bit, in whatever width. Then svmlight files are read once: their width is found
        on the way. Of arrays, those with an axis "features" grow.
    sets : bool, default False
        Whether a learner with full information also hears a `LabelSet`, in rounds with any number
        of right labels: then its `learn` asks `is_true`, `true_count` and `true_label`.

    Returns
    -------
    callable
        A decorator that returns the class unchanged.

    Examples
    --------
    >>> from typing import Annotated, NamedTuple
    >>> from onebit.kernel.rows import Floats
    >>> from onebit.kernel.state import Axes
    >>> @learner(hears=Bit, explorer="epsilon")
    ... class Constant(NamedTuple):
    ...     weights: Annotated[Floats, Axes("labels")]
    >>> traits(Constant).explorer
    'epsilon'
    """

    def declare(kind: type[T]) -> type[T]:
        made = LearnerTraits(
            hears, explorer, row, labels, grows, estimates, scales_rows, widens, sets
        )
        _catalog.declare(kind, made)
        return kind

    return declare


def traits(kind: type) -> LearnerTraits:
    """Return what a learner's class was declared with.

    Parameters
    ----------
    kind : type
        A learner's class.

    Returns
    -------
    LearnerTraits
        The arguments of its `learner` decorator.

    Raises
    ------
    BadInput
        If the class was not declared as a learner.

    Examples
    --------
    >>> traits(find("winnow")).labels
    2
    """
    found = _catalog.traits(kind)
    assert isinstance(found, LearnerTraits)
    return found


def check_imported(spec: str) -> None:
    """Check that a spec read from a file refers only to modules that are imported already.

    Parameters
    ----------
    spec : str
        A learner's spec, such as "banditron:gamma=0.1".

    Raises
    ------
    BadInput
        If its name, or a parameter that is a dotted path, is in another module.
    """
    name, params = Spec.parse(spec)
    values = [v if isinstance(v, tuple) else (v,) for v in params.values()]
    words = [str(word) for each in values for word in each]
    for each in (name, *(w for w in words if all(part.isidentifier() for part in w.split(".")))):
        _catalog.check_imported(each)
