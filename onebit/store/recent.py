"""The newest decisions and their outcomes, in bounded memory; the store has all of them."""

from __future__ import annotations

from onebit.store.event import Event, Fields, make_event

#: What an entry takes beside the bytes of its event.
_OVERHEAD = 600


class Recent:
    """Decisions by agent and id; beyond `most` bytes the oldest are forgotten."""

    def __init__(self, most: int = 64 << 20) -> None:
        self.most, self.size = most, 0
        self._found: dict[tuple[str, bytes], Fields] = {}

    def __len__(self) -> int:
        return len(self._found)

    def add(self, event: Fields) -> None:
        """Remember a decision."""
        _, agent, _, id, _, body, row, _ = event
        assert id is not None
        found, key = self._found, (agent, id)
        if key in found:
            self.take(agent, id)
        found[key] = event
        self.size += len(body) + len(row or b"") + _OVERHEAD
        while self.size > self.most:
            self.take(*next(iter(found)))

    def find(self, agent: str, id: bytes) -> Event | None:
        """Return a decision that is remembered."""
        found = self._found.get((agent, id))
        return None if found is None else make_event(found)

    def take(self, agent: str, id: bytes) -> Fields | None:
        """Forget a decision that has its outcome, and return it if it was remembered."""
        event = self._found.pop((agent, id), None)
        if event is not None:
            self.size -= len(event[5]) + len(event[6] or b"") + _OVERHEAD
        return event
