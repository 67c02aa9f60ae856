"""Checking a log: its chain, every digest, and every decision, made again from its state."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import msgspec
import numpy as np

from onebit.errors import BadInput, DamagedLog
from onebit.store import bodies
from onebit.store.base import Store
from onebit.store.event import Event, Kind, pack_row, unpack_row
from onebit.store.fold import Fold, draw_number
from onebit.store.recent import Recent
from onebit.store.recovery import read_chained


class Verified(NamedTuple):
    """What was checked; `digests` are the last ones, by agent."""

    events: int
    decisions: int
    learned: int
    compared: int
    agents: int
    digests: dict[str, str]


def verify(store: Store, progress: Callable[[int], None] = lambda seq: None) -> Verified:
    """Fold a log from its beginning, or from the snapshots that its archive left.

    Raises
    ------
    DamagedLog
        If the chain is broken, a digest differs, or a decision is not the one that its state
        makes.
    """
    recent, replicas = Recent(), dict[str, _Replica]()
    base, head = store.base, store.head()
    if base.seq:
        for agent in store.snapshot_seqs():
            sound = [found for found in store.snapshots(agent) if found.content is not None]
            if sound:
                fold = Fold.from_snapshot(sound[-1].content or b"", store, recent)
                replicas[agent] = _Replica(fold)
    for event in read_chained(store, base, head):
        replica = replicas.get(event.agent)
        if replica is None:
            if event.kind != Kind.CREATED:
                raise DamagedLog(f"onebit: event {event.seq} is of an agent that was not created.")
            replicas[event.agent] = _Replica(Fold.begin(event, store, recent))
        elif event.seq > replica.start:
            replica.take(event)
        if event.seq % 10_000 == 0:
            progress(event.seq)
    for replica in replicas.values():
        replica.catch_up(head.seq)
    folds = [replica.fold for replica in replicas.values()]
    return Verified(
        head.seq - base.seq,
        sum(replica.decisions for replica in replicas.values()),
        sum(fold.counts.learned for fold in folds),
        sum(fold.compared for fold in folds),
        len(folds),
        {fold.name: fold.agent.digest().hex() for fold in folds},
    )


class _Replica:
    """An agent of the log, folded as far as its next decision saw it."""

    def __init__(self, fold: Fold) -> None:
        self.fold, self.start, self.decisions = fold, fold.seq, 0
        self._version = 0
        self._waiting: deque[Event] = deque()

    def take(self, event: Event) -> None:
        """Check a decision, and keep every event until a later decision has seen it."""
        if event.kind == Kind.DECISION:
            try:
                body = bodies.read_decided(event.body)
                self.catch_up(body.version)
                self._check(event, body)
            except (msgspec.MsgspecError, BadInput) as error:
                raise DamagedLog(f"onebit: decision {event.seq} is not sound: {error}") from None
            self.decisions += 1
        self._waiting.append(event)

    def catch_up(self, version: int) -> None:
        """Apply the events that a state of this version has seen."""
        if version < self._version:
            raise DamagedLog(f"the state of event {version} is older than one before")
        self._version = version
        while self._waiting and self._waiting[0].seq <= version:
            self.fold.apply(self._waiting.popleft())
        self.fold.flush()

    def _check(self, event: Event, body: bodies.Decided) -> None:
        """Raise DamagedLog if a decision is not the one that this state makes."""
        agent, id = self.fold.agent, event.decision or b""
        row = agent.row_of(msgspec.json.decode(body.x))
        if pack_row(row) != event.row:
            raise DamagedLog("its row is not the one that was sent")
        if not body.asked and body.among != agent.active_numbers():
            raise DamagedLog("it was made among other labels")
        among = None if body.among is None else np.array(body.among, np.int64)
        draw = draw_number(self.fold.created.secret, id)
        made = agent.redecide(unpack_row(event.row or b""), among, body.round, draw)
        said = body.greedy, body.label, body.prob, body.marginal
        if tuple(made) != said:
            raise DamagedLog(f"it says {said}, its state makes {tuple(made)}.")
