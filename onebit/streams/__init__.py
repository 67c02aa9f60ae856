"""Streams: rows and their true labels, in order, independent of learners.

A stream is declared in a file as a NamedTuple of parameters with a method `open(seed)` that
returns a `Stream`: its labels, number of features, length and blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from onebit.kernel.block import BLOCK, Block
from onebit.kernel.rng import permutation
from onebit.kernel.rows import SparseRows, Starts
from onebit.kernel.sizes import Column
from onebit.naming.catalog import Catalog
from onebit.naming.params import OneOf
from onebit.streams.tables.encoder import Encoder

__all__ = [
    "Delays", "Order", "Stream", "StreamTraits", "blocks_in_order", "columns_of", "find",
    "find_transform", "importable", "importable_transforms", "name_of", "names", "one_hot",
    "stream", "traits", "transform", "transform_names",
]  # fmt: skip

T = TypeVar("T")

#: `delays(first, n)` returns after how many rounds the feedback of each of the n rounds from
#: number `first` on arrives.
Delays = Callable[[int, int], Starts]

#: The parameter `order` of the built-in finite streams.
Order = Annotated[str, OneOf(("shuffled", "file")), "shuffled by the seed, or as in the file"]


class Stream(NamedTuple):
    """An opened stream.

    Attributes
    ----------
    labels : sequence
        The labels; blocks have their positions in this sequence.
    features : int
        The number of features of a row.
    length : int or None
        The number of rows, None if it is unknown or infinite.
    blocks : callable
        Returns an iterator over the blocks; every call starts at the first row.
    prepare : callable
        Compiles what the stream needs, so that the first block does not take longer.
    columns : sequence of Column
        Which features form columns, categorical or numeric.
    delays : callable or None
        When feedback arrives; None if at once.
    ends : bool
        Whether a stream of unknown length is finite.
    row : str
        What a row is: "features", or "advice" of hypotheses.
    scale : bool
        Whether numeric columns are to be scaled for learners that do not scale rows themselves.
    width : callable or None
        For a stream whose rows may have more than `features` features, which are found as it is
        read: returns how many were found; None if `features` is all.
    encoder : Encoder or None
        What turned the records of a table into these rows, None if nothing did.
    """

    labels: Sequence[Any]
    features: int
    length: int | None
    blocks: Callable[[], Iterator[Block]]
    prepare: Callable[[], object] = tuple
    columns: Sequence[Column] = ()
    delays: Delays | None = None
    ends: bool = False
    row: str = "features"
    scale: bool = False
    width: Callable[[], int] | None = None
    encoder: Encoder | None = None


class StreamTraits(NamedTuple):
    """What a stream was declared with; see `stream`.

    Attributes
    ----------
    rows : int or None
        The number of rows, None if it is infinite.
    labels : int
        The number of labels.
    features : int
        The number of features, with default parameters.
    source : str
        Where the rows come from.
    licence : str
        The licence of the data.
    """

    rows: int | None
    labels: int
    features: int
    source: str
    licence: str


catalog = Catalog("onebit.streams.datasets", "stream", group="onebit.streams")
transform_catalog = Catalog("onebit.streams.transforms", "transform", see="streams")
names, find, name_of = catalog.names, catalog.find, catalog.name
importable = catalog.importable
transform_names, find_transform = transform_catalog.names, transform_catalog.find
importable_transforms = transform_catalog.importable


def traits(kind: type) -> StreamTraits:
    """Return what a stream was declared with.

    Parameters
    ----------
    kind : type
        The class.

    Returns
    -------
    StreamTraits
        The arguments of `stream`.

    Raises
    ------
    BadInput
        If the class was not declared with `stream`.

    Examples
    --------
    >>> traits(find("car")).rows
    1728
    """
    found = catalog.traits(kind)
    assert isinstance(found, StreamTraits)
    return found


def stream(
    *, rows: int | None, labels: int, features: int, source: str, licence: str
) -> Callable[[type[T]], type[T]]:
    """Declare a stream: a NamedTuple of parameters with a method `open(seed)`.

    Parameters
    ----------
    rows : int or None
        The number of rows, None if it is infinite.
    labels : int
        The number of labels.
    features : int
        The number of features, with default parameters.
    source : str
        Where the rows come from.
    licence : str
        The licence of the data.

    Returns
    -------
    callable
        A decorator that returns the class unchanged.

    Examples
    --------
    >>> @stream(rows=None, labels=2, features=1, source="an example", licence="none needed")
    ... class Example(NamedTuple):
    ...     def open(self, seed: int) -> Stream: ...
    >>> traits(Example).labels
    2
    """

    def declare(kind: type[T]) -> type[T]:
        catalog.declare(kind, StreamTraits(rows, labels, features, source, licence))
        return kind

    return declare


def transform(kind: type[T]) -> type[T]:
    """Declare a transform: a NamedTuple of parameters with a method `apply(stream, seed, number)`.

    Parameters
    ----------
    kind : type
        The class. `apply` returns the changed `Stream`; `number` is the position among the
        transforms of a stream.

    Returns
    -------
    type
        The class, unchanged.
    """
    transform_catalog.declare(kind, None)
    return kind


def blocks_in_order(
    load: Callable[[], Block], order: str, key: int
) -> Callable[[], Iterator[Block]]:
    """Return the `blocks` of a stream that fits into memory.

    Parameters
    ----------
    load : callable
        Returns all rounds; called when the first block is read.
    order : str
        "shuffled" or "file".
    key : int
        The random key of the shuffle.

    Returns
    -------
    callable
        The field `blocks` of a `Stream`.
    """

    def blocks() -> Iterator[Block]:
        rounds = load()
        n = rounds.rounds
        places = permutation(key, n) if order == "shuffled" else np.arange(n)
        for first in range(0, n, BLOCK):
            yield rounds.pick(places[first : first + BLOCK])

    return blocks


def one_hot(values: npt.NDArray[Any], columns: Sequence[Column]) -> SparseRows:
    """Return one-hot rows.

    Parameters
    ----------
    values : array of int
        A matrix of value numbers, one column for each categorical column.
    columns : sequence of Column
        The features of each column: value number v sets feature v of its column, if it has one.

    Returns
    -------
    SparseRows
        The rows.

    Examples
    --------
    >>> one_hot(np.array([[0, 2], [1, 0]]), columns_of([2, 3])).indices.tolist()
    [0, 4, 1, 2]
    """
    firsts = np.array([column.first for column in columns], np.int32)
    set_one = values < np.array([column.width for column in columns])
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(set_one.sum(axis=1))])
    indices = (firsts + values)[set_one].astype(np.int32)
    return SparseRows(starts, indices, np.ones(len(indices)))


def columns_of(sizes: Iterable[int]) -> tuple[Column, ...]:
    """Return adjacent categorical columns with one feature for each value.

    Parameters
    ----------
    sizes : iterable of int
        The number of values of each column.

    Returns
    -------
    tuple of Column
        The columns; the features of each follow those of the one before.
    """
    columns, first = [], 0
    for size in sizes:
        columns.append(Column(first, size, size))
        first += size
    return tuple(columns)
