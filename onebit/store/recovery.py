"""Starting again: for each agent the newest sound snapshot, then the events after it."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator

from onebit.errors import BadInput, DamagedLog
from onebit.store.base import Store
from onebit.store.event import Event, Fields, Head, Kind, follow, make_event
from onebit.store.fold import Fold
from onebit.store.recent import Recent

_PAGE = 1000


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
    for events in _pages(store, first, head):
        for agent, its in _by_agent(events).items():
            fold = folds.get(agent)
            if fold is None:
                begun = make_event(its[0])
                if begun.kind != Kind.CREATED:
                    raise DamagedLog(
                        f"onebit: event {begun.seq} is of an agent that was not created."
                    )
                fold = folds[agent] = Fold.begin(begun, store, recent)
            try:
                fold.apply_all([event for event in its if event[0] > fold.seq])
            except DamagedLog as error:
                raise WrongDigest(agent, str(error)) from None
        progress(events[-1][0])
    for fold in folds.values():
        fold.flush()
        fold.agent.round = fold.round
    return folds


def _by_agent(events: list[Fields]) -> dict[str, list[Fields]]:
    """Return the events of each agent, in their order."""
    found: dict[str, list[Fields]] = {}
    for event in events:
        found.setdefault(event[1], []).append(event)
    return found


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
    for events in _pages(store, first, last):
        yield from map(make_event, events)


def _pages(store: Store, first: Head, last: Head) -> Iterator[list[Fields]]:
    """Yield the fields of the events between two heads, some at a time; see `read_chained`."""
    seq, chain = first
    while seq < last.seq:
        events = store.read_fields(seq, _PAGE, last.seq)
        if not events:
            raise _missing(store, seq + 1, "is missing")
        for event, found in zip(events, follow(chain, events), strict=True):
            seq += 1
            if event[0] != seq or event[7] != found:
                raise _missing(store, seq, "is missing, or was changed")
        chain = events[-1][7]
        yield events


def _missing(store: Store, seq: int, how: str) -> BadInput:
    """Return the error for an event that cannot be read."""
    if seq <= store.base.seq:  # by the service, after this reader began
        return BadInput(f"onebit: event {seq} was archived meanwhile; read again.")
    return DamagedLog(f"onebit: event {seq} {how}.")
