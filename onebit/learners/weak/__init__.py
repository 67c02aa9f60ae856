"""Weak learners: banks of N copies of a binary learner for every label, one file each.

A bank is a NamedTuple of declared arrays with two bodies: `vote` and `train`. The
numbers of the N copies for one feature and label lie side by side, so that one loop
over a row serves them all. What holds the bank (a booster, or one learner against
all) names the options that a bank may declare among its fields:

    n        copies for each label
    reading  plain, smooth or literal: see READINGS
    start    zero or random, for a bank with weights
    dtype    of the large arrays: Axes("features", "labels", "n", dtype="dtype")

A weak learner of your own is one file, given as `package.module.Class`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, TypeVar

from onebit.kernel.rows import Floats, Row
from onebit.kernel.state import Sizes, begin
from onebit.kernel.verbs import no_refcount, verb
from onebit.naming.catalog import Catalog
from onebit.naming.params import OneOf, Whole, declared_params

T = TypeVar("T")

#: What a bank makes of a row, and what its votes are. `plain`: the row as it is, votes are
#: margins of any size. `smooth`: a row with a bias feature, votes are real numbers in [-1, 1].
#: `literal`: a row of length 1, votes are signs where the learner has no confidence to give.
READINGS = ("plain", "smooth", "literal")
PLAIN, SMOOTH, LITERAL = range(3)
STARTS = ("zero", "random")
DTYPES = ("float64", "float32")

Copies = Annotated[int, Whole(1), "copies for each label"]
Reading = Annotated[int, OneOf(READINGS), "what a row is, and what a vote is"]
Start = Annotated[int, OneOf(STARTS), "where weights start"]
Dtype = Annotated[int, OneOf(DTYPES), "type of the large arrays"]

_catalog = Catalog("onebit.learners.weak", "weak learner", group="onebit.weak")
names, find, name_of = _catalog.names, _catalog.find, _catalog.name


def weak(kind: type[T]) -> type[T]:
    """Declare a NamedTuple to be a bank of weak learners."""
    _catalog.declare(kind, None)
    return kind


class WeakLearner(NamedTuple):
    """The rule of a parameter that names a weak learner; its field then holds the bank."""

    def read(self, value: Any) -> str:
        """Return the name if there is such a weak learner."""
        find(str(value))
        return str(value)

    def kind(self, name: str) -> type:
        """Return the class of a weak learner's bank."""
        return find(name)

    def __str__(self) -> str:
        return f"one of {', '.join(names())}, or a package.module.Class"


def make_bank(name: str, sizes: Sizes, seed: int, options: Mapping[str, Any]) -> Any:
    """Return a bank that has seen nothing, with those of the options that it declares."""
    kind = find(name)
    params = {p.name: options.get(p.name, p.default) for p in declared_params(kind)}
    return begin(kind, sizes, seed, params)


def complaint_of(bank: Any) -> str | None:
    """Return what a bank with a method `complaint` has to say: a sentence, or None."""
    complaint = getattr(bank, "complaint", None)
    return complaint() if complaint else None


def refusal_of(bank: Any) -> str | None:
    """Return why a bank cannot vote on the row just scored: a sentence, or None."""
    refusal = getattr(bank, "refusal", None)
    return refusal() if refusal else None


@no_refcount
@verb
def vote(bank: Any, x: Row, out: Floats) -> None:
    """Set out[k, i] to what copy i says of x and label k: above 0 that the label is right."""


@no_refcount
@verb
def train(bank: Any, x: Row, label: int, y: float, weights: Floats) -> None:
    """Tell all copies of one label that y (+1 right, -1 wrong) is true of x; copy i by weights[i].

    The latest `vote` was on this very x.
    """
