"""Streams: rows and their true labels, in order. They know nothing of learners.

A stream file declares a NamedTuple of parameters with a method `open(seed)`
that returns a `Stream`: its labels, its width, its length and its blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from onebit.block import Block
from onebit.catalog import Catalog
from onebit.params import check, declared
from onebit.spec import Spec

T = TypeVar("T")


class Column(NamedTuple):
    """A categorical column: its one-hot features, and how many values it has.

    There may be one value more than features: the one that sets none of them.
    """

    first: int
    width: int
    values: int


class Stream(NamedTuple):
    """An opened stream: `prepare()` compiles what it needs, `blocks()` starts at row 1."""

    labels: Sequence[Any]
    features: int
    length: int | None
    blocks: Callable[[], Iterator[Block]]
    prepare: Callable[[], object] = tuple
    columns: Sequence[Column] = ()
    #: Whether a stream of unknown length comes to an end by itself; else it is endless.
    ends: bool = False


class StreamFacts(NamedTuple):
    """What a stream file declares about its stream."""

    rows: int | None
    labels: int
    features: int
    source: str
    licence: str


_catalog = Catalog("streams", "stream")
_transforms = Catalog("streams.transforms", "transform")
names, find, name_of = _catalog.names, _catalog.find, _catalog.name
transform_names, find_transform = _transforms.names, _transforms.find


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
    params = check(kind.__name__, declared(kind), spec.params)
    return Spec(catalog.name(kind), params), kind(**params)
