"""Streams: rows and their true labels, in order. They know nothing of learners.

A stream file declares a NamedTuple of parameters with a method `open(seed)`
that returns a `Stream`: its labels, its width, its length and its blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from onebit.kernel.block import BLOCK, Block
from onebit.kernel.rng import permutation
from onebit.kernel.rows import SparseRows, Starts
from onebit.kernel.state import Column
from onebit.naming.catalog import Catalog
from onebit.naming.params import OneOf

T = TypeVar("T")


#: How many rounds later the feedback comes: of n rounds from number `first` on.
Delays = Callable[[int, int], Starts]


class Stream(NamedTuple):
    """An opened stream: `prepare()` compiles what it needs, `blocks()` starts at row 1.

    `row` says what its rows are: "features", or "advice" of hypotheses.
    """

    labels: Sequence[Any]
    features: int
    length: int | None
    blocks: Callable[[], Iterator[Block]]
    prepare: Callable[[], object] = tuple
    columns: Sequence[Column] = ()
    delays: Delays | None = None
    #: Whether a stream of unknown length comes to an end by itself; else it is endless.
    ends: bool = False
    row: str = "features"


class StreamTraits(NamedTuple):
    """What a stream file declares about its stream."""

    rows: int | None
    labels: int
    features: int
    source: str
    licence: str


catalog = Catalog("onebit.streams.datasets", "stream", group="onebit.streams")
transform_catalog = Catalog("onebit.streams.transforms", "transform", see="streams")
names, find, name_of = catalog.names, catalog.find, catalog.name
transform_names, find_transform = transform_catalog.names, transform_catalog.find
importable, importable_transforms = catalog.importable, transform_catalog.importable


def stream(
    *, rows: int | None, labels: int, features: int, source: str, licence: str
) -> Callable[[type[T]], type[T]]:
    """Declare a NamedTuple with a method `open(seed)` to be a stream; `rows` None is endless."""

    def declare(kind: type[T]) -> type[T]:
        catalog.declare(kind, StreamTraits(rows, labels, features, source, licence))
        return kind

    return declare


def transform(kind: type[T]) -> type[T]:
    """Declare a NamedTuple with a method `apply(stream, seed)` to be a transform of streams."""
    transform_catalog.declare(kind, None)
    return kind


#: The parameter that every built-in finite stream has.
Order = Annotated[str, OneOf(("shuffled", "file")), "shuffled by the seed, or as in the file"]


def ordered(whole: Callable[[], Block], order: str, key: int) -> Callable[[], Iterator[Block]]:
    """Return the blocks of a stream whose rounds `whole` holds all at once, in the order asked for.

    `whole` is called when the first block is wanted; `key` is that of the shuffle.
    """

    def blocks() -> Iterator[Block]:
        rounds = whole()
        n = rounds.rounds
        places = permutation(key, n) if order == "shuffled" else np.arange(n)
        for first in range(0, n, BLOCK):
            yield rounds.pick(places[first : first + BLOCK])

    return blocks


def one_hot(values: npt.NDArray[Any], columns: Sequence[Column]) -> SparseRows:
    """Return rows of 0/1 features from a matrix of value numbers, one column each.

    Value number v of a column sets its feature v, if it has one.
    """
    firsts = np.array([column.first for column in columns], np.int32)
    set_one = values < np.array([column.width for column in columns])
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(set_one.sum(axis=1))])
    indices = (firsts + values)[set_one].astype(np.int32)
    return SparseRows(starts, indices, np.ones(len(indices)))


def columns_of(sizes: Iterable[int]) -> tuple[Column, ...]:
    """Return columns side by side, with as many features as values."""
    columns, first = [], 0
    for size in sizes:
        columns.append(Column(first, size, size))
        first += size
    return tuple(columns)


def traits(kind: type) -> StreamTraits:
    """Return what a stream was declared with."""
    found = catalog.traits(kind)
    assert isinstance(found, StreamTraits)
    return found
