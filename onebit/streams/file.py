"""A file as a stream: its spec, a first pass over it, and its blocks.

The labels must be known before round 1: to learn of a label from a mistake would be more than
one bit. The user gives them, or a first pass over the file finds them, counts the rows and finds
the features.
"""

from __future__ import annotations

import functools
import hashlib
import os
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from onebit.errors import BadFile, BadInput
from onebit.kernel.block import Block, Truths
from onebit.kernel.rows import SparseRows
from onebit.naming.params import Auto, OneOf, Param, check_params, declared_params
from onebit.naming.spec import Spec
from onebit.streams import Stream, formats
from onebit.streams.reading.bad_lines import BadLines, notify_once
from onebit.streams.reading.batch import Batch, Layout, Reading, empty_rows
from onebit.streams.reading.label_scan import scan_labels
from onebit.streams.reading.label_sets import SEPARATORS, Marks, readable
from onebit.streams.reading.labels import Labels, check_label_count, select_truths
from onebit.streams.reading.prefetch import Prefetch
from onebit.streams.reading.row_cleanup import normalize_rows, select_rows
from onebit.streams.reading.rules import AUTO, Words
from onebit.streams.reading.source import Source
from onebit.streams.reading.stdin import interrupted
from onebit.streams.tables.labels import (
    check_label_share,
    labels_as_objects,
    similar_labels,
    sort_texts,
)

_LABELS = Param("labels", Auto(Words()), AUTO, "the labels, in this order")
_SEVERAL = Param(
    "several", OneOf(tuple(SEPARATORS)), "no", "what separates the right labels of a row"
)
_DEGREES = Param(
    "degrees", OneOf(("yes", "no")), "no", "whether labels have a degree of relevance, as in a=2"
)
_BAD = Param("bad", OneOf(("refuse", "skip")), "refuse", "what to do with a malformed line")


class FileSurvey(NamedTuple):
    """What is known of a file before round 1; `rows` is None if their number is not."""

    labels: list[str]
    layout: Layout
    rows: int | None


class Span:
    """The lowest and the highest feature of the rows read so far."""

    low, high = 1, 0

    def add(self, span: tuple[int, int]) -> None:
        """Note the span of some more rows."""
        self.low, self.high = min(self.low, span[0]), max(self.high, span[1])


class File(NamedTuple):
    """A file, its format with parameters, its labels if given, and whether to skip bad lines.

    What a first pass finds is told on stderr if it `tells`.
    """

    source: Source
    format: Any
    labels: Any
    skip: bool
    marks: Marks = Marks()
    tells: bool = True

    def open(self, seed: int) -> Stream:
        """Return the stream of the rows, in the order of the file; the seed is not used."""
        self.source.check_exists()
        if formats.traits(type(self.format)).packed:
            return self.format.open(self.source)  # type: ignore[no-any-return]
        labels, layout, rows = self.survey()

        def blocks() -> Iterator[Block]:
            return Prefetch(self._blocks(labels, layout, Span()))

        names = labels_as_objects(labels)
        return Stream(
            names, layout.features, rows, blocks, self._prepare, layout.columns, ends=True,
            scale=layout.encoder is not None and layout.encoder.scale, encoder=layout.encoder,
        )  # fmt: skip

    def open_growing(self) -> Stream | None:
        """Return a stream that finds its features while it is read; None if it must be surveyed."""
        self.source.check_exists()
        find_layout = getattr(self.format, "growing_layout", None)
        layout: Layout | None = find_layout() if find_layout else None
        if layout is None or not self.source.repeatable:
            return None
        if self.labels != AUTO:
            labels, rows = Labels.given(f"onebit: {self.source.name}", self.labels).names, None
        elif (found := self._survey_once(layout, self._scan_labels)) is not None:
            labels, _, rows = found
        else:
            return None
        span = Span()

        def blocks() -> Iterator[Block]:
            return Prefetch(self._blocks(labels, layout, span))

        names = labels_as_objects(labels)
        return Stream(
            names, 1, rows, blocks, self._prepare, ends=True,
            width=lambda: self.format.width(span.low, span.high),
        )  # fmt: skip

    def _prepare(self) -> None:
        """Compile what reads the rows."""
        getattr(self.format, "prepare", tuple)()
        normalize_rows(empty_rows(0))

    def digest(self) -> str:
        """Return a digest of the bytes; a random one for what can be read only once."""
        self.source.check_exists()
        if not self.source.repeatable:
            return os.urandom(16).hex()
        return _digest(self.source, self.source.version)

    def survey(self) -> FileSurvey:
        """Return what must be known before round 1, from the parameters or a first pass."""
        repeatable = self.source.repeatable
        layout = self.format.layout(repeatable)
        if self.labels != AUTO:
            labels = Labels.given(f"onebit: {self.source.name}", self.labels)
            if layout is not None:
                if getattr(self.format, "scale", "no") == "yes":
                    self._tell(
                        f"{self.source.name} is read only once: columns are hashed by their names,"
                        " and numbers are not scaled as those of a file are"
                    )
                return FileSurvey(labels.names, layout, None)
        elif not repeatable:
            raise BadFile(
                f"onebit: {self.source.name} can be read only once, and its labels must be known"
                " before round 1; give --labels a,b,c."
            )
        scanned = layout and self._survey_once(layout, self._scan_labels)
        found = scanned or self._survey_once(layout, self._first_pass)
        assert isinstance(found, FileSurvey)
        return found

    def _survey_once(self, layout: Any, survey: Callable[[Any], FileSurvey | None]) -> Any:
        """Return what a survey of the file finds; many trials may read the same file."""
        key = (self, self.source.version, survey.__name__)
        with _survey_lock:
            if key not in _surveys:
                _surveys[key] = survey(layout)
            return _surveys[key]

    def _scan_labels(self, layout: Layout) -> FileSurvey | None:
        """Find the labels alone; None if the whole lines must be read to tell what is malformed."""
        rules = getattr(self.format, "rules", None)
        if rules is None or self.skip or self.labels != AUTO:
            return None
        labels = Labels(growing=True)
        rows = scan_labels(self.source, rules(layout), labels, self.marks)
        if interrupted.is_set():  # before the whole file was seen
            raise KeyboardInterrupt
        if not rows or len(labels.names) < 2:
            return None
        names = sort_texts(labels.names)
        self._tell(
            f"{self.source.name}: a scan of the labels found {rows:,} rows and"
            f" {len(names):,} labels: {_first_ten(names)}"
        )
        self._tell_similar(names)
        return FileSurvey(names, layout, rows)

    def _first_pass(self, layout: Layout | None) -> FileSurvey:
        who = f"onebit: {self.source.name}"
        given = self.labels != AUTO
        labels = Labels.given(who, self.labels) if given else Labels(growing=True)
        bad_lines, rows = self.new_bad_lines(), 0

        def on_batch(batch: Batch) -> None:
            nonlocal rows
            rows += len(split_bad_rows(batch, labels, bad_lines, self.marks)[0].starts) - 1

        reading = Reading(self.source, bad_lines)
        if layout is None:
            layout = self.format.survey(reading, on_batch)
            if self.skip and not layout.exact:
                return self._first_pass(layout)
        else:
            read = getattr(self.format, "label_batches", self.format.batches)
            for batch in read(reading, layout):
                on_batch(batch)
        if interrupted.is_set():  # before the whole file was seen
            raise KeyboardInterrupt
        if not rows:
            raise _no_rows_error(self.source, bad_lines)
        names = labels.names if given else sort_texts(labels.names)
        check_label_count(who, names)
        if layout.encoder is not None and not given:
            check_label_share(who, names, rows, layout.encoder, "--label-column ")
        self._tell(
            f"{self.source.name}: a first pass found {rows:,} rows, {layout.features:,} features"
            f" and {len(names):,} labels: {_first_ten(names)}"
        )
        if layout.told:
            self._tell(layout.told)
        self._tell_similar(names)
        # a malformed number in a table is found, and its row left out, when it is encoded
        certain = not (self.skip and layout.encoder is not None)
        return FileSurvey(names, layout, rows if certain else None)

    def _tell(self, found: str) -> None:
        if self.tells:
            notify_once(found)

    def _tell_similar(self, names: list[str]) -> None:
        """Say which labels may be one label written in several ways."""
        for group in similar_labels(names):
            notify_once(
                f"{self.source.name}: the labels {', '.join(map(repr, group))} differ in case or"
                " blanks only"
            )

    def _blocks(self, names: list[str], layout: Layout, span: Span) -> Generator[Block, None, None]:
        labels, bad_lines, rows = Labels(names), self.new_bad_lines(), 0
        try:
            for batch in self.format.batches(Reading(self.source, bad_lines), layout):
                found, truths = split_bad_rows(batch, labels, bad_lines, self.marks)
                count = len(found.starts) - 1
                rows += count
                span.add(batch.span)
                if count:
                    yield Block(found, truths, np.zeros(count, np.int32))
            if not rows and not interrupted.is_set():
                raise _no_rows_error(self.source, bad_lines)
        finally:
            bad_lines.report()

    def new_bad_lines(self) -> BadLines:
        """Return a record of malformed lines for one pass."""
        unit = getattr(self.format, "UNIT", "line")
        return BadLines(f"onebit: {self.source.name}", self.skip, unit)


_surveys: dict[Any, FileSurvey | None] = {}
_survey_lock = threading.Lock()


@functools.cache
def _digest(source: Source, version: tuple[int, ...]) -> str:
    try:
        with open(source.path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""  # the error will be raised when the file is read


def split_bad_rows(
    batch: Batch, labels: Labels, bad_lines: BadLines, marks: Marks
) -> tuple[SparseRows, Truths]:
    """Return the valid rows and the numbers of their labels; reject the other lines."""
    rows, valid = batch.rows, batch.valid
    if valid is None:
        rows, valid, _ = normalize_rows(rows)
    truths, known = labels.truths(batch.labels, marks)
    kept = valid & known
    if kept.all():
        return rows, truths
    for n in np.flatnonzero(~kept).tolist():
        line, label = int(batch.lines[n]), _label_text(batch, n)
        if not valid[n]:
            bad_lines.reject(
                line, "have finite values whose size is at most 1e100 together", "larger"
            )
        elif any(degree != degree for _, degree in marks.split(label)):  # nan
            must = "have degrees of relevance that are numbers from 0 on"
            bad_lines.reject(line, must, readable(label))
        elif not label:
            bad_lines.reject(line, "have a label (--skip-bad leaves out lines without one)", "")
        elif labels.growing:
            bad_lines.reject(line, "have a label of printable UTF-8 text", readable(label))
        else:
            must = f"have one of the labels {_first_ten(labels.names)}"
            bad_lines.reject(line, must, readable(label))
    return select_rows(rows, kept), select_truths(truths, kept)


def resolve_file(stream: str | Spec) -> tuple[Spec, File]:
    """Return the full spec of a file, defaults filled in, and the file."""
    spec = parse_spec(stream)
    source = Source(spec.name)
    names = tuple(formats.names())
    if os.path.isdir(source.path):
        source.check_exists()  # which says so
    by_ending = formats.name_by_ending(source.ending)
    if "format" not in spec.params and by_ending is None:
        raise BadFile(
            f"onebit: {source.name} does not say its format by its ending; give --format with one"
            f" of {', '.join(names)}."
        )
    choice = Param("format", OneOf(names), by_ending, "how the file is written")
    given = {name: value for name, value in spec.params.items() if name == "format"}
    kind = formats.find(check_params("onebit", [choice], given)["format"])
    own = declared_params(kind)
    params = check_params(kind.__name__, (choice, *common_parameters(kind), *own), spec.params)
    made = kind(**{param.name: params[param.name] for param in own})
    marks = Marks.of_format(kind, params.get("several", "no"), params.get("degrees", "no"))
    file = File(source, made, params.get("labels", AUTO), params.get("bad") == "skip", marks)
    return Spec(spec.name, params), file


def common_parameters(kind: type) -> tuple[Param, ...]:
    """Return the parameters of a format that all formats have, beside its own."""
    if formats.traits(kind).packed:
        return ()
    several = () if hasattr(kind, "SEPARATOR") else (_SEVERAL,)
    return (_LABELS, *several, _DEGREES, _BAD)


def parse_spec(stream: str | Spec) -> Spec:
    """Parse the spec of a stream; a text that is the path of an existing file is that file."""
    if isinstance(stream, Spec):
        return stream
    return Spec(stream, {}) if os.path.exists(stream) else Spec.parse(stream)


def with_options(stream: str | Spec, options: Mapping[str, Any]) -> Spec:
    """Return the spec of a file with the options that are not None as its parameters."""
    spec = parse_spec(stream)
    given = {name: value for name, value in options.items() if value is not None}
    return Spec(spec.name, {**spec.params, **given})


def _first_ten(names: list[str]) -> str:
    more = f", ... ({len(names):,} in all)" if len(names) > 10 else ""
    return ", ".join(names[:10]) + more


def _label_text(batch: Batch, row: int) -> str:
    """Return the label of a row as it is written."""
    labels = batch.labels
    return labels[row] if isinstance(labels, list) else labels.text(row)


def _no_rows_error(source: Source, bad_lines: BadLines) -> BadInput:
    bad = f", and {bad_lines.count:,} bad {bad_lines.unit}s" if bad_lines.count else ""
    return BadFile(f"onebit: {source.name} must have rows, got none{bad}.")
