"""Outcomes: the bits of decisions, the decisions that they are about, and those of a pause."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from onebit.errors import DamagedLog
from onebit.store import bodies
from onebit.store.base import Store
from onebit.store.event import Event, Kind, make_event
from onebit.store.recent import Recent

_PAGE = 2000
_DECISION, _FEEDBACK, _EXPIRED = int(Kind.DECISION), int(Kind.FEEDBACK), int(Kind.EXPIRED)


def read_body(decode: Callable[[bytes], Any], event: Event) -> Any:
    """Return what an event says.

    Raises
    ------
    DamagedLog
        If it cannot be read.
    """
    try:
        return decode(event.body)
    except msgspec.MsgspecError as error:
        raise DamagedLog(f"onebit: event {event.seq} cannot be read: {error}.") from None


def bit_of(event: Event) -> bool | None:
    """Return the bit of an event; None if it has none, such as a window that ended without."""
    if event.kind == _FEEDBACK:
        if (known := bodies.BITS.get(event.body)) is not None:
            return known
        return bool(read_body(bodies.read_heard, event).correct)
    if event.kind == _EXPIRED and read_body(bodies.read_expired, event).wrong:
        return False
    return None


def decision_of(event: Event, log: Store, recent: Recent) -> Event:
    """Return the decision that an outcome is about; `recent` forgets it.

    Raises
    ------
    DamagedLog
        If it is not there.
    """
    agent, id = event.agent, event.decision or b""
    made = recent.take(agent, id)
    if made is not None:
        return make_event(made)
    found = log.decision(agent, id)
    if not found or found[0].kind != _DECISION:
        raise DamagedLog(f"onebit: event {event.seq} is about a decision that is not there.")
    return found[0]


def bits_between(
    after: int, through: int, agent: str, log: Store, recent: Recent
) -> Iterator[tuple[Event, bool]]:
    """Yield the bits of an agent that came between two events, each with its decision."""
    while events := log.read(after, _PAGE, through):
        after = events[-1].seq
        for event in events:
            if event.agent != agent:
                continue
            if event.kind == _DECISION:
                recent.add(event)
                continue
            bit = bit_of(event)
            if bit is not None:
                yield decision_of(event, log, recent), bit
            elif event.kind == _EXPIRED:
                recent.take(agent, event.decision or b"")
