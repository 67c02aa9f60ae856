"""The newest decisions and their outcomes, in bounded memory; the store has all of them."""

from __future__ import annotations

from onebit.store.event import Event

#: What an entry takes beside the bytes of its event.
_OVERHEAD = 600


class Recent:
    """Decisions by agent and id; beyond `most` bytes the oldest are forgotten."""

    def __init__(self, most: int = 64 << 20) -> None:
        self.most, self.size = most, 0
        self._found: dict[tuple[str, bytes], Event] = {}

    def __len__(self) -> int:
        return len(self._found)

    def add(self, event: Event) -> None:
        """Remember a decision."""
        _, agent, _, id, _, body, row, _ = event
        assert id is not None
        if (agent, id) in self._found:
            self.drop(agent, id)
        self._found[agent, id] = event
        self.size += len(body) + len(row or b"") + _OVERHEAD
        while self.size > self.most:
            self.size -= _size(self._found.pop(next(iter(self._found))))

    def find(self, agent: str, id: bytes) -> Event | None:
        """Return a decision that is remembered."""
        return self._found.get((agent, id))

    def drop(self, agent: str, id: bytes) -> Event | None:
        """Forget a decision that was learned from, and return it if it was remembered."""
        event = self._found.pop((agent, id), None)
        if event is not None:
            self.size -= _size(event)
        return event


def _size(event: Event) -> int:
    return len(event.body) + len(event.row or b"") + _OVERHEAD
