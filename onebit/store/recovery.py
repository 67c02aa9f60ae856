"""Starting again: for each agent the newest sound snapshot, then the events after it."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator

from onebit.errors import BadInput, DamagedLog
from onebit.store.base import Store
from onebit.store.event import Event, Head, Kind, link
from onebit.store.fold import Fold
from onebit.store.recent import Recent

_PAGE = 5000


class WrongDigest(DamagedLog):
    """The state of an agent is not the one that the log says it had."""

    def __init__(self, agent: str, why: str) -> None:
        super().__init__(why)
        self.agent = agent


def recover(
    store: Store, recent: Recent, progress: Callable[[int], None] = lambda seq: None
) -> dict[str, Fold]:
    """Return the state of every agent after all events of the log.

    Raises
    ------
    DamagedLog
        If events are missing, were changed, or do not give the states that the log says.
    """
    skip: Counter[str] = Counter()
    collects = gc.isenabled()
    gc.disable()  # nothing here is circular, and looking for it takes a fifth of the time
    try:
        while True:
            try:
                return _recover(store, recent, skip, progress)
            except WrongDigest as wrong:
                if skip[wrong.agent] >= len(store.snapshot_seqs().get(wrong.agent, [])):
                    raise DamagedLog(str(wrong)) from None
                skip[wrong.agent] += 1  # the snapshot may be wrong: try the one before
    finally:
        if collects:
            gc.enable()


def _recover(
    store: Store, recent: Recent, skip: Counter[str], progress: Callable[[int], None]
) -> dict[str, Fold]:
    folds: dict[str, Fold] = {}
    head = store.head()
    base, here = store.base, {event.agent: event for event in store.created()}
    start = head.seq
    for agent in {*here, *store.snapshot_seqs()}:
        fold = _from_snapshots(store, recent, agent, skip[agent])
        if fold is not None:
            folds[agent] = fold
            start = min(start, fold.covers)
        elif agent in here:
            start = min(start, here[agent].seq - 1)
        else:
            raise DamagedLog(f"onebit: no snapshot of agent {agent} is sound, and its log is gone.")
    first = base if start <= base.seq else _head_at(store, start)
    for event in read_chained(store, first, head):
        fold = folds.get(event.agent)
        if fold is None:
            if event.kind != Kind.CREATED:
                raise DamagedLog(f"onebit: event {event.seq} is of an agent that was not created.")
            folds[event.agent] = Fold.begin(event, store, recent)
        elif event.seq > fold.seq:
            try:
                fold.apply(event)
            except DamagedLog as error:
                raise WrongDigest(event.agent, str(error)) from None
        if event.seq % _PAGE == 0:
            progress(event.seq)
    for fold in folds.values():
        fold.flush()
        fold.agent.round = fold.round
    return folds


def _from_snapshots(store: Store, recent: Recent, agent: str, skip: int) -> Fold | None:
    """Return the fold of the newest sound snapshot but some."""
    for number, found in enumerate(store.snapshots(agent)):
        if number < skip or found.content is None:
            continue
        try:
            fold = Fold.from_snapshot(found.content, store, recent)
        except BadInput:
            continue
        fold.covers = found.seq
        return fold
    return None


def _head_at(store: Store, seq: int) -> Head:
    found = store.read(seq - 1, 1)
    if not found or found[0].seq != seq:
        raise DamagedLog(f"onebit: event {seq} is missing.")
    return Head(seq, found[0].chain)


def read_chained(store: Store, first: Head, last: Head) -> Iterator[Event]:
    """Yield the events between two heads, none missing and none changed.

    Raises
    ------
    DamagedLog
        If one is.
    """
    seq, chain = first
    while seq < last.seq:
        events = store.read(seq, _PAGE, last.seq)
        if not events:
            raise DamagedLog(f"onebit: event {seq + 1} is missing.")
        for event in events:
            seq += 1
            chain = link(chain, *event[:7])
            if event.seq != seq or event.chain != chain:
                raise DamagedLog(f"onebit: event {seq} is missing, or was changed.")
            yield event
