"""What every back end of the log offers, and how it fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from onebit.store.event import Draft, Event, Fields, Head


class StoreFull(Exception):  # noqa: N818  what happened to the store
    """There is no room for these events; none of them is in the log, and it can be tried again."""


class Fenced(Exception):  # noqa: N818
    """Another process appended to the log; this one must stop."""


class Indeterminate(Exception):  # noqa: N818
    """It is unknown whether these events are on the disk; the process must end and start again."""


class StoredSnapshot(NamedTuple):
    """A snapshot of one agent's state after all events up to `seq`; None where it is damaged."""

    agent: str
    seq: int
    content: bytes | None


class Store(Protocol):
    """The log of a store, its snapshots, and its decisions by id.

    One process writes. `append` and the iterators that write are called by one thread at a time;
    the other methods may be called by any thread.
    """

    @property
    def base(self) -> Head:
        """The head before the oldest event that is still here."""

    def head(self) -> Head:
        """Return the head of the log."""

    def append(self, drafts: list[Draft], expect: Head) -> list[Event]:
        """Write events after this head, all or none, and return them once they are on the disk.

        Raises
        ------
        Fenced
            If the log has another head, or an event breaks one of its rules: one `created` for
            each agent, one decision for each id, one outcome for each decision.
        StoreFull
            If there is no room.
        Indeterminate
            If the disk failed.
        """

    def read(self, after: int, limit: int, through: int | None = None) -> list[Event]:
        """Return at most `limit` events after a number, in order."""

    def read_fields(self, after: int, limit: int, through: int | None = None) -> list[Fields]:
        """Return what `read` does as plain tuples, which is faster."""

    def decision(self, agent: str, id: bytes) -> list[Event]:
        """Return a decision and its outcome, as far as they are there."""

    def is_archived(self, agent: str, id: bytes) -> bool:
        """Return whether a decision was moved to an archive."""

    def created(self) -> list[Event]:
        """Return the `created` events that are still here."""

    def setup(self, agent: str) -> list[Event]:
        """Return the events of an agent that are about no decision."""

    def unanswered(self, agent: str, after: int, through: int, limit: int) -> list[Event]:
        """Return decisions without outcome between two events, the oldest first."""

    def last_at(self, time: int) -> int:
        """Return the number of the last event at or before a time, in microseconds since 1970."""

    def probe(self) -> None:
        """Write something that changes nothing; raises as `append` does."""

    def write_snapshot(self, agent: str, seq: int, content: bytes) -> Iterator[None]:
        """Write a snapshot in many short transactions, one at each step of the iterator.

        The two newest of an agent are kept, and those that the base needs.
        """

    def snapshots(self, agent: str) -> Iterator[StoredSnapshot]:
        """Yield the snapshots of an agent, the newest first, but for those before the base."""

    def snapshot_seqs(self) -> dict[str, list[int]]:
        """Return where the snapshots of each agent are that `snapshots` yields."""

    def drop_snapshots(self, after: int) -> None:
        """Drop the snapshots after an event, when the log has lost what came after it."""

    def archive(self, through: int) -> Iterator[None]:
        """Drop events up to a number in many short transactions, and remember their ids.

        There must be a snapshot of every agent at or after this number; these are kept. So are
        decisions whose outcome is not dropped with them: it is learned and exported with its row.
        """

    def close(self) -> None:
        """Close the store."""
