"""Streams: rows and their true labels, in order. They know nothing of learners.

A stream file declares a NamedTuple of parameters with a method `open(seed)`
that returns a `Stream`: its labels, its width, its length and its blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from onebit.block import Block
from onebit.catalog import Catalog
from onebit.params import BadInput, check, declared
from onebit.spec import Spec
from onebit.state import Column

T = TypeVar("T")


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
    row: str = "features"


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
    return _resolve(_catalog, text)


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
    if catalog is _catalog and ("/" in spec.name or "." in spec.name or spec.name == "-"):
        raise BadInput(f"onebit: {spec.name} looks like a file, and files cannot be read yet.")
    kind = catalog.find(spec.name)
    takes = getattr(kind, "takes", None)  # parameters that depend on those given
    params = declared(kind) if takes is None else takes(spec.params)
    params = check(kind.__name__, params, spec.params)
    return Spec(catalog.name(kind), params), kind(**params)
