"""The log as lines of JSON, for `onebit learn`, for data frames, and for archives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from onebit.agent.labels import labels_to_json
from onebit.errors import BadInput, DamagedLog
from onebit.store import bodies
from onebit.store.base import Store
from onebit.store.event import Event, Kind
from onebit.store.fold import Fold
from onebit.store.outcomes import bit_of, decision_of
from onebit.store.recent import Recent

_PAGE = 2000
_NAMES = {kind: kind.name.lower() for kind in Kind}
_ON_ONE_LINE = bytes.maketrans(b"\r\n", b"  ")


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A round that was learned from: what `onebit learn` reads, and where it is from."""

    x: msgspec.Raw
    label: Any
    prob: float
    correct: bool
    greedy: Any
    marginal: float
    round: int
    id: str
    agent: str
    seq: int
    time: float
    decided: float
    among: list[Any] | None = None


def labels_and_pause(store: Store, name: str) -> tuple[list[Any], int | None]:
    """Return all labels that an agent of a log ever had, by number, as JSON has them; its pause.

    The pause is the event up to which bits are learned; None where learning is not paused.

    Raises
    ------
    DamagedLog
        If neither its beginning nor a snapshot is there.
    """
    names: list[Any] = []
    pause: int | None = None
    after, events = 0, store.setup(name)
    if not any(event.kind == Kind.CREATED for event in events):
        for found in store.snapshots(name):
            if found.content is not None:
                fold = Fold.from_snapshot(found.content, store, Recent(0))
                names, pause = labels_to_json("onebit", fold.agent.labels), fold.paused_at
                after = fold.seq
                break
    for event in events:
        if event.kind == Kind.CREATED:
            names = list(bodies.read_created(event.body).labels)
        elif event.kind == Kind.LABEL_ADDED and event.seq > after:
            names.append(bodies.read_label(event.body).label)
        elif event.kind == Kind.SETTING and event.seq > after:
            pause = bodies.read_setting(event.body).pause(pause, event.seq)
    if not names:
        raise DamagedLog(f"onebit: the log has no agent {name}.")
    return names, pause


class Exporter:
    """Reads the log of one agent, or of all, as rounds or as every event."""

    def __init__(self, store: Store, agent: str | None = None) -> None:
        self._store, self._agent, self._recent = store, agent, Recent()
        self._labels: dict[str, list[Any]] = {}

    def rounds(self, after: int = 0, through: int | None = None) -> Iterator[Line]:
        """Yield the rounds that were learned from, in the order of their bits."""
        for event in self._events(after, through):
            bit = bit_of(event)
            if bit is not None:
                yield self._line(event, bit)

    def every_event(self, after: int = 0, through: int | None = None) -> Iterator[dict[str, Any]]:
        """Yield every event, secrets left out; those with a bit have their whole round."""
        for event in self._events(after, through):
            line: dict[str, Any] = {"kind": _NAMES[Kind(event.kind)]}
            bit = bit_of(event)
            if bit is not None:
                line |= msgspec.to_builtins(self._line(event, bit), builtin_types=(msgspec.Raw,))
            else:
                body = msgspec.json.decode(event.body, type=dict[str, msgspec.Raw])
                body.pop("secret", None)
                if event.kind == Kind.DECISION:
                    body["x"] = _on_one_line(body["x"])
                line |= body
                if event.kind == Kind.DECISION:
                    line |= self._named(event)
                line |= {"agent": event.agent, "seq": event.seq, "time": event.time / 1e6}
                if event.decision is not None:
                    line["id"] = event.decision.hex()
            yield line

    def _named(self, event: Event) -> dict[str, Any]:
        """Return the labels of a decision by name instead of by number."""
        body, names = bodies.read_played(event.body), self._names(event.agent)
        among = None if body.among is None else [names[k] for k in body.among]
        found = {"label": names[body.label], "greedy": names[body.greedy]}
        return found if among is None else {**found, "among": among}

    def _events(self, after: int, through: int | None) -> Iterator[Event]:
        if through is None:  # labels that are added meanwhile would not be known
            through = self._store.head().seq
        base = self._store.base
        while events := self._store.read(after, _PAGE, through):
            now = self._store.base
            if now != base and after < now.seq:
                raise BadInput(f"onebit: event {after + 1} was archived meanwhile; read again.")
            after = events[-1].seq
            for event in events:
                if self._agent is not None and event.agent != self._agent:
                    continue
                if event.kind == Kind.DECISION:
                    self._recent.add(event)
                yield event

    def _names(self, agent: str) -> list[Any]:
        if agent not in self._labels:
            self._labels[agent] = labels_and_pause(self._store, agent)[0]
        return self._labels[agent]

    def _line(self, event: Event, correct: bool) -> Line:
        made = decision_of(event, self._store, self._recent)
        body, names = bodies.read_decided(made.body), self._names(event.agent)
        return Line(
            x=_on_one_line(body.x), label=names[body.label], prob=body.prob, correct=correct,
            greedy=names[body.greedy], marginal=body.marginal, round=body.round,
            id=(event.decision or b"").hex(),
            agent=event.agent, seq=event.seq, time=event.time / 1e6, decided=made.time / 1e6,
            among=None if body.among is None else [names[k] for k in body.among],
        )  # fmt: skip


def _on_one_line(x: msgspec.Raw) -> msgspec.Raw:
    """Return a row as it was sent, but for line breaks, which JSON has between its tokens alone."""
    text = bytes(x)
    if b"\n" not in text and b"\r" not in text:
        return x
    return msgspec.Raw(text.translate(_ON_ONE_LINE))
