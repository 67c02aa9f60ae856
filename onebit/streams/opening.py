"""Opening a stream by its spec: a data set, a file, and the transforms it goes through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from onebit.naming.catalog import Catalog
from onebit.naming.params import check_params, declared_params
from onebit.naming.spec import Spec
from onebit.streams import Stream, catalog, transform_catalog
from onebit.streams.file import resolve_file


def resolve(text: str) -> tuple[Spec, Any]:
    """Return the full spec of a stream, defaults filled in, and the thing it names."""
    if is_file(text):
        return resolve_file(text)
    return _resolve(catalog, text)


def is_file(text: str) -> bool:
    """Say whether a spec names a file: a name with a slash or a dot in it, or `-`."""
    name = text.strip().partition(":")[0]
    return name == "-" or "/" in name or "." in name


def resolve_transform(text: str) -> tuple[Spec, Any]:
    """Return the full spec of a transform, defaults filled in, and the thing it names."""
    return _resolve(transform_catalog, text)


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
    params = declared_params(kind) if takes is None else takes(spec.params)
    params = check_params(kind.__name__, params, spec.params)
    return Spec(catalog.name(kind), params), kind(**params)
