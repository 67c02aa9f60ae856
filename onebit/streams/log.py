"""Logs of past decisions: rows, the labels that were played, their probabilities, the feedback.

A log is JSON lines, `{"x": ..., "label": ..., "prob": ..., "correct": ...}` with the true label
as "truth" if it is known, or VW text with `label:cost:prob` before the bar. A log may have both
probabilities of a `Choice`: then "marginal" is used, since "prob" is given a greedy label that
another learner need not share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.errors import BadFile
from onebit.kernel.block import Block, noiseless_block
from onebit.kernel.round import LEAST_PROB
from onebit.kernel.rows import Floats, Ints
from onebit.naming.spec import Spec
from onebit.streams.file import resolve_file
from onebit.streams.formats.jsonl import Jsonl, first_width
from onebit.streams.formats.vw import Vw
from onebit.streams.reading.bad_lines import BadLines, notify_once
from onebit.streams.reading.batch import Batch, Layout, Reading
from onebit.streams.reading.json_objects import JsonRows, read_objects
from onebit.streams.reading.label_sets import label_text
from onebit.streams.reading.labels import (
    Labels,
    LabelSpans,
    check_label_count,
    is_label,
)
from onebit.streams.reading.prefetch import Prefetch
from onebit.streams.reading.row_batcher import RowBatcher
from onebit.streams.reading.row_cleanup import normalize_rows, select_rows
from onebit.streams.reading.rules import AUTO
from onebit.streams.tables.labels import canonical_label, labels_as_objects, sort_texts


class Event(NamedTuple):
    """One decision in a log; None where the log has no value.

    `others` are labels that could have been played too; `reason` says why the decision cannot be
    used, if so.
    """

    label: str | None = None
    prob: float | None = None
    correct: bool | None = None
    truth: str | None = None
    reason: str = ""
    others: tuple[str, ...] = ()


class LoggedRounds(NamedTuple):
    """Some rounds of a log: rows with their truths (0 if unknown), labels, probabilities, bits."""

    block: Block
    labels: Ints
    probs: Floats
    correct: npt.NDArray[np.bool_]


class Log:
    """An opened log: its labels, number of features and rounds, and how many rows were used."""

    def __init__(self, log: str | Spec, hears_bit: bool, right_cost: float = 0.0) -> None:
        _, self.file = resolve_file(log)
        self.file.source.check_exists()
        if not isinstance(self.file.format, Jsonl | Vw):
            raise BadFile(
                f"onebit: a log must be in the format jsonl or vw, got"
                f" {type(self.file.format).__name__.lower()}."
            )
        self.hears_bit, self.right_cost = hears_bit, right_cost
        self.used = 0
        self.unused: Counter[str] = Counter()
        layout = self.file.format.layout(self.file.source.repeatable)
        self.features = layout.features if layout else first_width(self.file.source)
        self.names = self._survey(layout is not None)
        self.labels = labels_as_objects(self.names)

    def rounds(self) -> Iterator[LoggedRounds]:
        """Return the rounds that can be learned from, in order."""
        return Prefetch(self._rounds())

    def _rounds(self) -> Any:
        labels = Labels(self.names)
        self.used, self.unused = 0, Counter()
        bad_lines = self.file.new_bad_lines()
        for batch, events in self._events(bad_lines):
            rows, valid, _ = normalize_rows(batch.rows)
            reasons = [
                self._reason(event, labels) if ok else "values that are too large"
                for event, ok in zip(events, valid.tolist(), strict=True)
            ]
            used = np.array([not reason for reason in reasons], np.bool_)
            self.unused.update(reason for reason in reasons if reason)
            usable = [event for event, reason in zip(events, reasons, strict=True) if not reason]
            if not usable:
                continue
            self.used += len(usable)
            truths = [0 if e.truth is None else labels.number(e.truth) for e in usable]
            yield LoggedRounds(
                noiseless_block(select_rows(rows, used), np.array(truths, np.int32)),
                np.array([labels.number(str(e.label)) for e in usable], np.int32),
                np.array([e.prob for e in usable], np.float64),
                np.array([bool(e.correct) for e in usable], np.bool_),
            )
        bad_lines.report()
        if bad_lines.count:
            self.unused["a malformed line"] += bad_lines.count

    def _survey(self, known_width: bool) -> list[str]:
        """Return the labels, from the parameters or a first pass."""
        who = f"onebit: {self.file.source.name}"
        given = self.file.labels != AUTO
        labels = Labels.given(who, self.file.labels) if given else Labels(growing=True)
        if given and known_width:
            return labels.names
        if not self.file.source.repeatable:
            raise BadFile(f"{who} can be read only once; give --labels a,b,c.")
        rows, truths = 0, 0
        for batch, events in self._events(self.file.new_bad_lines()):
            rows += len(batch.lines)
            for event in events:
                for label in (event.label, event.truth, *event.others):
                    if label is not None and is_label(label):
                        labels.number(label)
                truths += event.truth is not None
        if not rows:
            raise BadFile(f"{who} must have rows, got none.")
        if not truths and not self.hears_bit:
            raise BadFile(
                f"{who} must say the truth of its rows for a learner that hears the true label,"
                " got none; take a learner that hears one bit."
            )
        if not labels.names:
            raise BadFile(
                f'{who} must have the label that was played, as "label" in JSON or label:cost:prob'
                f" in VW, got none in {rows:,} rows."
            )
        names = labels.names if given else sort_texts(labels.names)
        check_label_count(who, names)
        notify_once(f"{who.removeprefix('onebit: ')}: a first pass found {rows:,} rows and"
             f" {len(names):,} labels")  # fmt: skip
        return names

    def _reason(self, event: Event, labels: Labels) -> str:
        """Return why an event cannot be used; an empty text if it can."""
        if event.reason:
            return event.reason
        if event.label is None:
            return "no label"
        if labels.number(str(event.label)) < 0:
            return "a label that is not among the labels"
        if event.truth is not None and labels.number(event.truth) < 0:
            return "a truth that is not among the labels"
        if event.prob is None:
            return "no prob"
        if not LEAST_PROB <= event.prob <= 1:
            return f"a prob outside [{LEAST_PROB:g}, 1]"
        if self.hears_bit and event.correct is None:
            return "no bit (correct)"
        if not self.hears_bit and event.truth is None:
            return "no truth"
        return ""

    def _events(self, bad_lines: BadLines) -> Iterator[tuple[Batch, list[Event]]]:
        reading = Reading(self.file.source, bad_lines)
        if isinstance(self.file.format, Vw):
            layout = Layout(self.file.format.features, details=True)
            for batch in self.file.format.batches(reading, layout):
                assert isinstance(batch.labels, LabelSpans)
                spans = zip(batch.labels.starts.tolist(), batch.labels.stops.tolist(), strict=True)
                heads = [batch.labels.chunk[start:stop] for start, stop in spans]
                yield batch, [_event_from_vw(head, self.right_cost) for head in heads]
            return
        batcher, events = RowBatcher(), []
        rows = JsonRows(self.features, bad_lines)
        for line, item in read_objects(reading):
            row = rows.read(item, line)
            if row is None:
                continue
            events.append(_event_from_json(item))
            if batcher.add(row, "", line):
                yield batcher.take_batch(), events
                events = []
        if events:
            yield batcher.take_batch(), events


def _event_from_json(item: dict[str, Any]) -> Event:
    label, truth = label_text(item.get("label")), label_text(item.get("truth"))
    prob, correct = item.get("marginal"), item.get("correct")
    if prob is None:
        prob = item.get("prob")
    if isinstance(prob, bool) or not isinstance(prob, int | float | None):
        return Event(label, None, None, truth, "a prob that is no number")
    if correct in (0, 1):
        correct = bool(correct)
    if correct is not None and not isinstance(correct, bool):
        return Event(label, prob, None, truth, "a bit that is neither true nor false")
    if correct is None and truth is not None and label is not None:
        correct = canonical_label(label) == canonical_label(truth)
    return Event(label, prob, correct, truth)


def _event_from_vw(head: bytes, right_cost: float) -> Event:
    """Read `label:cost:prob`, among other labels that could have been played."""
    words = head.decode(errors="replace").split()
    played = [word for word in words if word.count(":") == 2]
    if len(played) != 1:
        return Event(reason="no label:cost:prob" if not played else "several labels played")
    label, cost_text, prob_text = played[0].split(":")
    try:
        cost, prob = float(cost_text), float(prob_text)
    except ValueError:
        return Event(label, reason="a cost or a prob that is no number")
    if cost not in (right_cost, right_cost + 1.0):
        return Event(
            label, prob, reason=f"a cost that is neither {right_cost:g} nor {right_cost + 1:g}"
        )
    others = tuple(word.partition(":")[0] for word in words if word.count(":") < 2)
    return Event(label, prob, cost == right_cost, others=others)
