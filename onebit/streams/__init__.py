"""Streams: rows and their true labels, in order. They know nothing of learners.

A stream file declares a NamedTuple of parameters with a method `open(seed)`
that returns a `Stream`: its labels, its width, its length and its blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from onebit.block import BLOCK, Block
from onebit.catalog import Catalog
from onebit.chance import permutation
from onebit.params import OneOf, check, declared
from onebit.rows import SparseRows, Starts
from onebit.spec import Spec
from onebit.state import Column

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


class StreamFacts(NamedTuple):
    """What a stream file declares about its stream."""

    rows: int | None
    labels: int
    features: int
    source: str
    licence: str


_catalog = Catalog("streams", "stream")
_transforms = Catalog("streams.transforms", "transform", "streams")
names, find, name_of = _catalog.names, _catalog.find, _catalog.name
transform_names, find_transform = _transforms.names, _transforms.find
ready, ready_transforms = _catalog.ready, _transforms.ready


def stream(
    *, rows: int | None, labels: int, features: int, source: str, licence: str
) -> Callable[[type[T]], type[T]]:
    """Declare a NamedTuple with a method `open(seed)` to be a stream; `rows` None is endless."""

    def declare(kind: type[T]) -> type[T]:
        _catalog.declare(kind, StreamFacts(rows, labels, features, source, licence))
        return kind

    return declare


def transform(kind: type[T]) -> type[T]:
    """Declare a NamedTuple with a method `apply(stream, seed)` to be a transform of streams."""
    _transforms.declare(kind, None)
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


def facts(kind: type) -> StreamFacts:
    """Return what a stream was declared with."""
    found = _catalog.facts(kind)
    assert isinstance(found, StreamFacts)
    return found


def resolve(text: str) -> tuple[Spec, Any]:
    """Return the full spec of a stream, defaults filled in, and the thing it names."""
    if is_file(text):
        from onebit.streams.files.file import resolve_file

        return resolve_file(text)
    return _resolve(_catalog, text)


def is_file(text: str) -> bool:
    """Say whether a spec names a file: a name with a slash or a dot in it, or `-`."""
    name = text.strip().partition(":")[0]
    return name == "-" or "/" in name or "." in name


def resolve_transform(text: str) -> tuple[Spec, Any]:
    """Return the full spec of a transform, defaults filled in, and the thing it names."""
    return _resolve(_transforms, text)


def open_stream(text: str, seed: int, transforms: Sequence[str] = ()) -> Stream:
    """Open a stream by its spec and put it through transforms, in order."""
    _, source = resolve(text)
    opened: Stream = source.open(seed)
    for number, transform in enumerate(transforms):
        _, change = resolve_transform(transform)
        opened = change.apply(opened, seed, number)
    return opened


def _resolve(catalog: Catalog, text: str) -> tuple[Spec, Any]:
    spec = Spec.parse(text)
    kind = catalog.find(spec.name)
    takes = getattr(kind, "takes", None)  # parameters that depend on those given
    params = declared(kind) if takes is None else takes(spec.params)
    params = check(kind.__name__, params, spec.params)
    return Spec(catalog.name(kind), params), kind(**params)
