"""A file as a stream: its name and parameters, a first pass over it, and its blocks.

The label set must be known before round 1, since a label that is learned from
a missed round would be a peek. It is given by the user, or found in a first
pass over the file, which also counts the rows and finds the features.
"""

from __future__ import annotations

import functools
import hashlib
import os
import threading
from collections.abc import Generator, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from onebit.errors import BadInput
from onebit.kernel.block import Block, noiseless_block
from onebit.kernel.rows import Ints, SparseRows
from onebit.naming.params import Auto, OneOf, Param, check_params, declared_params
from onebit.naming.spec import Spec
from onebit.streams import Stream, formats
from onebit.streams.reading.bad_lines import Bad, tell
from onebit.streams.reading.batch import Batch, Layout, Reading, no_rows
from onebit.streams.reading.labels import Labels, Spelled, as_objects, in_order, refuse_single
from onebit.streams.reading.prefetch import ahead
from onebit.streams.reading.row_buffer import keep, tidy
from onebit.streams.reading.rules import AUTO, Words
from onebit.streams.reading.source import Source
from onebit.streams.reading.stdin import interrupted

_LABELS = Param("labels", Auto(Words()), AUTO, "the labels, in this order")
_BAD = Param("bad", OneOf(("refuse", "skip")), "refuse", "what to do with a malformed line")


class Survey(NamedTuple):
    """What is known of a file before round 1; `rows` is None if it was not gone over."""

    labels: list[str]
    layout: Layout
    rows: int | None


class File(NamedTuple):
    """A file, its format and parameters, its labels if given, and whether to skip bad lines."""

    source: Source
    format: Any
    labels: Any
    skip: bool

    def open(self, seed: int) -> Stream:
        """Return the rows in the order of the file; the seed changes nothing."""
        self.source.refuse_if_missing()
        if formats.traits(type(self.format)).packed:
            return self.format.open(self.source)  # type: ignore[no-any-return]
        labels, layout, rows = self.survey()

        def blocks() -> Iterator[Block]:
            return ahead(self._blocks(labels, layout))

        def prepare() -> None:
            getattr(self.format, "prepare", tuple)()
            tidy(no_rows(0))

        names = as_objects(labels)
        return Stream(names, layout.features, rows, blocks, prepare, layout.columns, ends=True)

    def digest(self) -> str:
        """Return a digest of the bytes; what can be read only once is never the same again."""
        self.source.refuse_if_missing()
        if not self.source.repeatable:
            return os.urandom(16).hex()
        return _digest(self.source, self.source.version)

    def survey(self) -> Survey:
        """Return what must be known before round 1: as given, or by a first pass."""
        repeatable = self.source.repeatable
        layout = self.format.layout(repeatable)
        if self.labels != AUTO:
            labels = Labels.given(f"onebit: {self.source.name}", self.labels)
            if layout is not None:
                return Survey(labels.names, layout, None)
        elif not repeatable:
            raise BadInput(
                f"onebit: {self.source.name} can be read only once, and its labels must be known"
                " before round 1; give --labels a,b,c."
            )
        key = (self, self.source.version)
        with _lock:
            if key not in _surveys:
                _surveys[key] = self._first_pass(layout)
            return _surveys[key]

    def _first_pass(self, layout: Layout | None) -> Survey:
        who = f"onebit: {self.source.name}"
        given = self.labels != AUTO
        labels = Labels.given(who, self.labels) if given else Labels(growing=True)
        bad, rows = self._new_bad(), 0

        def see(batch: Batch) -> None:
            nonlocal rows
            rows += len(judge(batch, labels, bad)[1])

        reading = Reading(self.source, bad)
        if layout is None:
            layout = self.format.survey(reading, see)
        else:
            for batch in self.format.batches(reading, layout):
                see(batch)
        if not rows:
            raise _no_rows(self.source, bad)
        names = labels.names if given else in_order(labels.names)
        refuse_single(who, names)
        tell(
            f"{self.source.name}: a first pass found {rows:,} rows, {layout.features:,} features"
            f" and {len(names):,} labels: {_some(names)}"
        )
        return Survey(names, layout, rows)

    def _blocks(self, names: list[str], layout: Layout) -> Generator[Block, None, None]:
        labels, bad, rows = Labels(names), self._new_bad(), 0
        try:
            for batch in self.format.batches(Reading(self.source, bad), layout):
                found, truths = judge(batch, labels, bad)
                rows += len(truths)
                if len(truths):
                    yield noiseless_block(found, truths)
            if not rows and not interrupted.is_set():
                raise _no_rows(self.source, bad)
        finally:
            bad.report()

    def _new_bad(self) -> Bad:
        unit = getattr(self.format, "UNIT", "line")
        return Bad(f"onebit: {self.source.name}", self.skip, unit)


_surveys: dict[Any, Survey] = {}
_lock = threading.Lock()


@functools.cache
def _digest(source: Source, version: tuple[int, ...]) -> str:
    try:
        with open(source.path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""  # reading it will tell why


def judge(batch: Batch, labels: Labels, bad: Bad) -> tuple[SparseRows, Ints]:
    """Return the rows that can be played and their labels' numbers; the others are bad lines."""
    rows, fine = tidy(batch.rows)
    numbers = labels.numbers(batch.labels)
    kept = fine & (numbers >= 0)
    if kept.all():
        return rows, numbers
    for n in np.flatnonzero(~kept).tolist():
        line, label = int(batch.lines[n]), _spelled(batch.labels, n)
        if not fine[n]:
            bad.line(line, "have finite values whose size is at most 1e100 together", "larger")
        elif labels.growing:
            bad.line(line, "have a label of printable UTF-8 text", label)
        else:
            bad.line(line, f"have one of the labels {_some(labels.names)}", label)
    return keep(rows, kept), numbers[kept]


def resolve_file(stream: str | Spec) -> tuple[Spec, File]:
    """Return the full spec of a file, defaults filled in, and the file."""
    spec = parse_spec(stream)
    source = Source(spec.name)
    names = tuple(formats.names())
    by_name = formats.by_ending(source.ending)
    if "format" not in spec.params and by_name is None:
        raise BadInput(
            f"onebit: {source.name} does not say its format by its ending; give --format with one"
            f" of {', '.join(names)}."
        )
    choice = Param("format", OneOf(names), by_name, "how the file is written")
    given = {name: value for name, value in spec.params.items() if name == "format"}
    kind = formats.find(check_params("onebit", [choice], given)["format"])
    own = declared_params(kind)
    params = check_params(kind.__name__, (choice, *common_parameters(kind), *own), spec.params)
    made = kind(**{param.name: params[param.name] for param in own})
    file = File(source, made, params.get("labels", AUTO), params.get("bad") == "skip")
    return Spec(spec.name, params), file


def common_parameters(kind: type) -> tuple[Param, ...]:
    """Return the parameters that a format shares with the others, beside its own."""
    return () if formats.traits(kind).packed else (_LABELS, _BAD)


def parse_spec(stream: str | Spec) -> Spec:
    """Read the spec of a stream; the path of an existing file is that file, whatever is in it."""
    if isinstance(stream, Spec):
        return stream
    return Spec(stream, {}) if os.path.exists(stream) else Spec.parse(stream)


def with_options(stream: str | Spec, options: Mapping[str, Any]) -> Spec:
    """Return the spec of a file with those options put in that are not None."""
    spec = parse_spec(stream)
    given = {name: value for name, value in options.items() if value is not None}
    return Spec(spec.name, {**spec.params, **given})


def _some(names: list[str]) -> str:
    more = f", ... ({len(names):,} in all)" if len(names) > 10 else ""
    return ", ".join(names[:10]) + more


def _spelled(labels: Spelled, n: int) -> str:
    if isinstance(labels, list):
        return labels[n]
    word = labels.piece[labels.starts[n] : labels.stops[n]]
    return word.decode(errors="backslashreplace")


def _no_rows(source: Source, bad: Bad) -> BadInput:
    why = f", and {bad.count:,} bad {bad.unit}s" if bad.count else ""
    return BadInput(f"onebit: {source.name} must have rows, got none{why}.")
