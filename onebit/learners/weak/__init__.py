"""Weak learners: banks of N copies of a binary learner for every label, one file each.

A bank is a NamedTuple of declared arrays, decorated with `weak`, and two kernels: `vote` and
`train`. The numbers of the N copies for one feature and label are adjacent, so that one loop
over a row updates them all. The learner that uses the bank (a booster, or one-versus-all)
sets those of these options that the bank declares among its fields:

    n        copies for each label
    reading  plain, smooth, literal or scaled: see READINGS
    start    zero or random, for a bank with weights
    dtype    of the large arrays: Axes("features", "labels", "n", dtype="dtype")

A weak learner of your own is one file, given as `package.module.Class`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, TypeVar

from onebit.kernel.rows import Floats, Row
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import begin
from onebit.kernel.verbs import verb
from onebit.naming.catalog import Catalog
from onebit.naming.params import OneOf, Whole, declared_params

__all__ = [
    "DTYPES",
    "LITERAL",
    "PLAIN",
    "READINGS",
    "SCALED",
    "SMOOTH",
    "STARTS",
    "Copies",
    "Dtype",
    "Reading",
    "Start",
    "WeakLearner",
    "find",
    "make_bank",
    "name_of",
    "names",
    "train",
    "vote",
    "weak",
]

T = TypeVar("T")

#: How a bank reads a row, and what its votes are. `plain`: the row as it is, votes are
#: margins of any size. `smooth`: a row with a bias feature, votes are real numbers in [-1, 1].
#: `literal`: a row of norm 1, votes are signs if the learner has no confidence. `scaled`: as
#: smooth, with rows scaled to norm 10 beside the bias of 1, so that their unit does not matter.
READINGS = ("plain", "smooth", "literal", "scaled")
#: The values of the option `reading` in a kernel: positions in READINGS.
PLAIN, SMOOTH, LITERAL, SCALED = range(4)
#: The words of the option `start`.
STARTS = ("zero", "random")
#: The words of the option `dtype`.
DTYPES = ("float64", "float32")

#: The declaration of the option `n`; every bank has it.
Copies = Annotated[int, Whole(1), "copies for each label"]
#: The declaration of the option `reading`.
Reading = Annotated[int, OneOf(READINGS), "how a row is read, and what a vote is"]
#: The declaration of the option `start`.
Start = Annotated[int, OneOf(STARTS), "initial weights"]
#: The declaration of the option `dtype`.
Dtype = Annotated[int, OneOf(DTYPES), "type of the large arrays"]

_catalog = Catalog("onebit.learners.weak", "weak learner", group="onebit.weak")
names, find, name_of = _catalog.names, _catalog.find, _catalog.name


def weak(kind: type[T]) -> type[T]:
    """Declare a NamedTuple to be a bank of weak learners; a class decorator.

    Parameters
    ----------
    kind : type
        A NamedTuple of declared arrays and options, at least `n: Copies = 1`.

    Returns
    -------
    type
        The same class.

    Examples
    --------
    >>> @weak
    ... class Constant(NamedTuple):
    ...     n: Copies = 1
    """
    _catalog.declare(kind, None)
    return kind


class WeakLearner(NamedTuple):
    """The rule of a parameter that names a weak learner; its field then holds the bank."""

    def read(self, value: Any) -> str:
        """Return the name of a weak learner.

        Parameters
        ----------
        value : object
            A name, or a dotted path package.module.Class.

        Returns
        -------
        str
            The same name.

        Raises
        ------
        BadInput
            If there is no such weak learner.
        """
        find(str(value))
        return str(value)

    def kind(self, name: str) -> type:
        """Return the class of a weak learner's bank.

        Parameters
        ----------
        name : str
            What `read` returned.

        Returns
        -------
        type
            The class, as from `find`.
        """
        return find(name)

    def __str__(self) -> str:
        return f"one of {', '.join(names())}, or a package.module.Class"


def make_bank(name: str, sizes: Sizes, seed: int, options: Mapping[str, Any]) -> Any:
    """Return the first state of a bank.

    Parameters
    ----------
    name : str
        The weak learner's name or dotted path.
    sizes : Sizes
        The numbers of features and labels, and the columns.
    seed : int
        The seed of random initial weights.
    options : mapping
        Values of the options in this module's docstring; those that the bank does not declare
        are ignored.

    Returns
    -------
    NamedTuple
        The bank.

    Raises
    ------
    BadInput
        If there is no such weak learner.

    Examples
    --------
    >>> make_bank("perceptron", Sizes(features=4, labels=2), 0, {"n": 3}).weights.shape
    (4, 6)
    """
    kind = find(name)
    params = {p.name: options.get(p.name, p.default) for p in declared_params(kind)}
    return begin(kind, sizes, seed, params)


@verb
def vote(bank: Any, x: Row, out: Floats) -> None:
    """Let all copies of all labels vote on a row.

    Parameters
    ----------
    bank : NamedTuple
        A bank of weak learners.
    x : Row
        The row.
    out : array of shape (labels, n)
        Set to the votes: above 0 if copy i predicts that label k is right.
    """


@verb
def train(bank: Any, x: Row, label: int, y: float, weights: Floats) -> None:
    """Train all copies of one label on the row of the latest `vote`.

    Parameters
    ----------
    bank : NamedTuple
        A bank of weak learners.
    x : Row
        The row.
    label : int
        The label whose copies are trained.
    y : float
        +1 if the label is right, -1 if it is wrong.
    weights : array of shape (n,)
        The weight of the row for each copy.
    """
