"""Opening a stream by its spec: a data set, a file, or a class of yours, and its transforms."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from onebit.errors import BadInput
from onebit.naming.catalog import Catalog
from onebit.naming.params import check_params, declared_params
from onebit.naming.spec import Spec
from onebit.streams import Stream, catalog, formats, names, transform_catalog
from onebit.streams.file import parse_spec, resolve_file
from onebit.streams.reading.source import Source

__all__ = ["Resolved", "ResolvedTransform", "is_file", "open_stream", "resolve",
           "resolve_transform"]  # fmt: skip


class Resolved(NamedTuple):
    """A stream that was looked up and checked, but not opened.

    Attributes
    ----------
    spec : Spec
        The full spec, every default filled in.
    source : object
        What it names, with a method `open(seed)` that returns a `Stream`.
    """

    spec: Spec
    source: Any


class ResolvedTransform(NamedTuple):
    """A transform that was looked up and checked.

    Attributes
    ----------
    spec : Spec
        The full spec, every default filled in.
    transform : object
        What it names, with a method `apply(stream, seed, number)` that returns a `Stream`.
    """

    spec: Spec
    transform: Any


def resolve(stream: str | Spec) -> Resolved:
    """Look up a stream and check its parameters; nothing is opened.

    Parameters
    ----------
    stream : str or Spec
        The spec of a built-in stream, of a file (see `is_file`), or of a class that is declared
        with `onebit.streams.stream`, by its dotted path `package.module.Class`.

    Returns
    -------
    Resolved
        The full spec and what it names; it unpacks as a pair.

    Raises
    ------
    BadInput
        If there is no such stream, or a parameter is not allowed.

    Examples
    --------
    >>> spec, source = resolve("car")
    >>> str(spec)
    'car:order=shuffled'
    """
    spec = parse_spec(stream)
    if is_file(spec):
        return Resolved(*resolve_file(spec))
    try:
        kind = catalog.find(spec.name)
    except BadInput as error:
        if "." not in spec.name:
            raise
        why = str(error).removeprefix("onebit: ")
        raise BadInput(f"onebit: there is no file {spec.name}, and {why}") from None
    return Resolved(*_resolve(catalog, kind, spec))


def is_file(stream: str | Spec) -> bool:
    """Return whether a spec names a file.

    Parameters
    ----------
    stream : str or Spec
        The spec of a stream.

    Returns
    -------
    bool
        True of `-` (standard input), of a name with a slash, of what exists on the disk (unless it
        has the name of a stream), and of a name that ends as files of a known format do. Other
        dotted names of identifiers are classes; other names with a dot are files.

    Examples
    --------
    >>> is_file("clicks.csv.gz:label=clicked"), is_file("car"), is_file("package.module.Class")
    (True, False, False)
    """
    name = parse_spec(stream).name
    if name == "-" or "/" in name:
        return True
    if os.path.exists(name):
        return name not in names()
    if "." not in name:
        return False
    known = formats.name_by_ending(Source(name).ending) is not None
    return known or not all(part.isidentifier() for part in name.split("."))


def resolve_transform(transform: str | Spec) -> ResolvedTransform:
    """Look up a transform and check its parameters.

    Parameters
    ----------
    transform : str or Spec
        The spec of a transform.

    Returns
    -------
    ResolvedTransform
        The full spec and what it names; it unpacks as a pair.

    Raises
    ------
    BadInput
        If there is no such transform, or a parameter is not allowed.
    """
    spec = Spec.parse(transform) if isinstance(transform, str) else transform
    kind = transform_catalog.find(spec.name)
    return ResolvedTransform(*_resolve(transform_catalog, kind, spec))


def open_stream(
    stream: str | Spec | Resolved,
    seed: int,
    transforms: Sequence[str | Spec | ResolvedTransform] = (),
) -> Stream:
    """Open a stream and apply transforms to it, in order.

    Parameters
    ----------
    stream : str, Spec or Resolved
        A spec, or what `resolve` returned for it.
    seed : int
        Decides all that is random about the stream and the transforms.
    transforms : sequence of str, Spec or ResolvedTransform
        Specs, or what `resolve_transform` returned for them.

    Returns
    -------
    Stream
        The opened stream.

    Raises
    ------
    BadInput
        If a spec cannot be resolved, a file cannot be read, or a transform does not apply.

    Examples
    --------
    >>> opened = open_stream("car", 0, ["take:n=100"])
    >>> opened.length, opened.features, opened.labels
    (100, 21, ('unacc', 'acc', 'good', 'vgood'))
    """
    if not isinstance(stream, Resolved):
        stream = resolve(stream)
    opened: Stream = stream.source.open(seed)
    for number, transform in enumerate(transforms):
        if not isinstance(transform, ResolvedTransform):
            transform = resolve_transform(transform)
        opened = transform.transform.apply(opened, seed, number)
    return opened


def _resolve(catalog: Catalog, kind: type, spec: Spec) -> tuple[Spec, Any]:
    takes = getattr(kind, "takes", None)  # parameters that depend on those given
    declared = declared_params(kind) if takes is None else takes(spec.params)
    params = check_params(kind.__name__, declared, spec.params)
    return Spec(catalog.name(kind), params), kind(**params)
