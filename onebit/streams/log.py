"""Logs of past decisions: rows, the labels that were played, their probs, and the bits heard.

A log is JSON lines, `{"x": ..., "label": ..., "prob": ..., "correct": ...}` with the true
label as "truth" where it is known, or VW text with `label:cost:prob` before the bar.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.errors import BadInput
from onebit.kernel.block import Block, noiseless_block
from onebit.kernel.rows import Floats, Ints
from onebit.naming.spec import Spec
from onebit.streams.file import File, resolve_file
from onebit.streams.formats.jsonl import Jsonl, first_width, label_text, objects, row_of
from onebit.streams.formats.vw import Vw
from onebit.streams.reading.bad_lines import Bad, tell
from onebit.streams.reading.batch import Batch, Layout, Reading
from onebit.streams.reading.labels import (
    Labels,
    Spans,
    as_objects,
    in_order,
    is_label,
    label_of,
    refuse_single,
)
from onebit.streams.reading.prefetch import ahead
from onebit.streams.reading.row_batches import Gather
from onebit.streams.reading.row_buffer import keep, tidy
from onebit.streams.reading.rules import AUTO

#: A log's prob below this is not believed: one over it must stay a number.
LEAST = 1e-100


class Event(NamedTuple):
    """What a log says of one decision; None where it says nothing.

    `others` could have been played too; `why` says why the decision cannot be used.
    """

    label: str | None = None
    prob: float | None = None
    correct: bool | None = None
    truth: str | None = None
    why: str = ""
    others: tuple[str, ...] = ()


class Recorded(NamedTuple):
    """Some rounds of a log: rows with their truths (0 if unknown), and what was played."""

    block: Block
    labels: Ints
    probs: Floats
    correct: npt.NDArray[np.bool_]


class Log:
    """An opened log: its labels and width, its rounds, and how many rows could be used."""

    def __init__(self, log: str | Spec, hears_bit: bool, right: float = 0.0) -> None:
        _, self.file = resolve_file(log)
        self.file.source.refuse_if_missing()
        if not isinstance(self.file.format, Jsonl | Vw):
            raise BadInput(
                f"onebit: a log must be in the format jsonl or vw, got"
                f" {type(self.file.format).__name__.lower()}."
            )
        self.hears_bit, self.right = hears_bit, right
        self.used = 0
        self.unused: Counter[str] = Counter()
        layout = self.file.format.layout(self.file.source.repeatable)
        self.features = layout.features if layout else first_width(self.file.source)
        self.names = self._survey(layout is not None)
        self.labels = as_objects(self.names)

    def rounds(self) -> Iterator[Recorded]:
        """Return the rounds that can be learned from, in order."""
        return ahead(self._rounds())

    def _rounds(self) -> Any:
        labels = Labels(self.names)
        self.used, self.unused = 0, Counter()
        bad = self._bad()
        for batch, events in self._events(bad):
            rows, fine = tidy(batch.rows)
            judged = [self._judge(event, labels) for event in events]
            why = [
                event.why if ok else "values that are too large"
                for event, ok in zip(judged, fine.tolist(), strict=True)
            ]
            kept = np.array([not w for w in why], np.bool_)
            self.unused.update(w for w in why if w)
            usable = [event for event, w in zip(judged, why, strict=True) if not w]
            if not usable:
                continue
            self.used += len(usable)
            truths = [0 if e.truth is None else labels.number(e.truth) for e in usable]
            yield Recorded(
                noiseless_block(keep(rows, kept), np.array(truths, np.int32)),
                np.array([labels.number(str(e.label)) for e in usable], np.int32),
                np.array([e.prob for e in usable], np.float64),
                np.array([bool(e.correct) for e in usable], np.bool_),
            )
        bad.report()
        if bad.count:
            self.unused["a malformed line"] += bad.count

    def _survey(self, known_width: bool) -> list[str]:
        """Return the labels: as given, or by a first pass."""
        who = f"onebit: {self.file.source.name}"
        given = self.file.labels != AUTO
        labels = Labels.given(who, self.file.labels) if given else Labels(growing=True)
        if given and known_width:
            return labels.names
        if not self.file.source.repeatable:
            raise BadInput(f"{who} can be read only once; give --labels a,b,c.")
        rows, truths = 0, 0
        for batch, events in self._events(self._bad()):
            rows += len(batch.lines)
            for event in events:
                for label in (event.label, event.truth, *event.others):
                    if label is not None and is_label(label):
                        labels.number(label)
                truths += event.truth is not None
        if not rows:
            raise BadInput(f"{who} must have rows, got none.")
        if not truths and not self.hears_bit:
            raise BadInput(
                f"{who} must say the truth of its rows for a learner that hears the true label,"
                " got none; take a learner that hears one bit."
            )
        names = labels.names if given else in_order(labels.names)
        refuse_single(who, names)
        tell(f"{who.removeprefix('onebit: ')}: a first pass found {rows:,} rows and"
             f" {len(names):,} labels")  # fmt: skip
        return names

    def _judge(self, event: Event, labels: Labels) -> Event:
        """Return the event, with the reason why it cannot be used if there is one."""
        why = event.why
        if not why and event.label is None:
            why = "no label"
        elif not why and labels.number(str(event.label)) < 0:
            why = "a label that is not among the labels"
        elif not why and event.truth is not None and labels.number(event.truth) < 0:
            why = "a truth that is not among the labels"
        elif not why and event.prob is None:
            why = "no prob"
        elif not why and not LEAST <= (event.prob or 0.0) <= 1:
            why = f"a prob outside [{LEAST:g}, 1]"
        elif not why and self.hears_bit and event.correct is None:
            why = "no bit (correct)"
        elif not why and not self.hears_bit and event.truth is None:
            why = "no truth"
        return event._replace(why=why)

    def _events(self, bad: Bad) -> Iterator[tuple[Batch, list[Event]]]:
        reading = Reading(self.file.source, bad)
        if isinstance(self.file.format, Vw):
            layout = Layout(self.file.format.features, notes=True)
            for batch in self.file.format.batches(reading, layout):
                assert isinstance(batch.labels, Spans)
                spans = zip(batch.labels.starts.tolist(), batch.labels.stops.tolist(), strict=True)
                heads = [batch.labels.piece[start:stop] for start, stop in spans]
                yield batch, [_from_vw(head, self.right) for head in heads]
            return
        gather, events = Gather(), []
        for line, item in objects(reading):
            row = row_of(item, line, self.features, bad)
            if row is None:
                continue
            events.append(_from_json(item))
            if gather.add(row, "", line):
                yield gather.batch(), events
                events = []
        if events:
            yield gather.batch(), events

    def _bad(self) -> Bad:
        return File._new_bad(self.file)


def _from_json(item: dict[str, Any]) -> Event:
    label, truth = label_text(item.get("label")), label_text(item.get("truth"))
    prob, correct = item.get("prob"), item.get("correct")
    if isinstance(prob, bool) or not isinstance(prob, int | float | None):
        return Event(label, None, None, truth, "a prob that is no number")
    if correct in (0, 1):
        correct = bool(correct)
    if correct is not None and not isinstance(correct, bool):
        return Event(label, prob, None, truth, "a bit that is neither true nor false")
    if correct is None and truth is not None and label is not None:
        correct = label_of(label) == label_of(truth)
    return Event(label, prob, correct, truth)


def _from_vw(head: bytes, right: float) -> Event:
    """Read `label:cost:prob`, among other labels that could have been played."""
    words = head.decode(errors="replace").split()
    played = [word for word in words if word.count(":") == 2]
    if len(played) != 1:
        return Event(why="no label:cost:prob" if not played else "several labels played")
    label, cost_text, prob_text = played[0].split(":")
    try:
        cost, prob = float(cost_text), float(prob_text)
    except ValueError:
        return Event(label, why="a cost or a prob that is no number")
    if cost not in (right, right + 1.0):
        return Event(label, prob, why=f"a cost that is neither {right:g} nor {right + 1:g}")
    others = tuple(word.partition(":")[0] for word in words if word.count(":") < 2)
    return Event(label, prob, cost == right, others=others)
