"""Snapshots in a SQLite store: contents by their hash, in parts, and which agent they are of."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import apsw

from onebit.store.base import StoredSnapshot

#: Bytes that are written in one transaction, so that no event waits long for its own.
_PART = 1 << 18
#: How many snapshots of an agent are kept.
_KEPT = 2
#: The events after a snapshot are all in the log: none was archived.
_LEADS_ON = "seq >= (SELECT seq FROM base)"


class SnapshotTable:
    """The tables `snapshot` and `content`."""

    def __init__(
        self,
        reader: Callable[[], apsw.Connection],
        change: Callable[[], AbstractContextManager[apsw.Connection]],
    ) -> None:
        self._reader, self._change = reader, change

    def write(self, agent: str, seq: int, content: bytes) -> Iterator[None]:
        """Write a snapshot, a part at each step; it counts once the last step is done."""
        name = hashlib.sha256(content).digest()
        known = self._reader().execute("SELECT 1 FROM snapshot WHERE content = ?", (name,)).get
        if known is None:
            with self._change() as db:  # parts of a writer that did not finish
                db.execute("DELETE FROM content WHERE sha256 = ?", (name,))
            for part, at in enumerate(range(0, len(content), _PART)):
                with self._change() as db:
                    piece = content[at : at + _PART]
                    db.execute("INSERT INTO content VALUES (?, ?, ?)", (name, part, piece))
                yield
        with self._change() as db:
            db.execute(
                "INSERT OR REPLACE INTO snapshot (agent, seq, content, checksum)"
                " VALUES (?, ?, ?, ?)",
                (agent, seq, name, _checksum(agent, seq, name)),
            )
            db.execute(
                "DELETE FROM snapshot WHERE agent = ?1 AND kept = 0 AND seq NOT IN"
                " (SELECT seq FROM snapshot WHERE agent = ?1 ORDER BY seq DESC LIMIT ?2)",
                (agent, _KEPT),
            )
            db.execute("DELETE FROM content WHERE sha256 NOT IN (SELECT content FROM snapshot)")
        yield

    def read(self, agent: str) -> Iterator[StoredSnapshot]:
        """Yield the snapshots of an agent, the newest first; damaged ones without content."""
        sql = f"""SELECT seq, content, checksum FROM snapshot WHERE agent = ? AND {_LEADS_ON}
            ORDER BY seq DESC"""
        found: list[Any] = self._reader().execute(sql, (agent,)).fetchall()
        for seq, name, checksum in found:
            parts = self._reader().execute(
                "SELECT bytes FROM content WHERE sha256 = ? ORDER BY part", (name,)
            )
            try:
                content = b"".join(part for (part,) in parts)
            except apsw.CorruptError:
                content = b""
            sound = checksum == _checksum(agent, seq, name)
            sound = sound and hashlib.sha256(content).digest() == name
            yield StoredSnapshot(agent, seq, content if sound else None)

    def seqs(self) -> dict[str, list[int]]:
        """Return where the snapshots of each agent are, the newest first."""
        found: dict[str, list[int]] = {}
        sql = f"SELECT agent, seq FROM snapshot WHERE {_LEADS_ON} ORDER BY agent, seq DESC"
        for agent, seq in self._reader().execute(sql):
            found.setdefault(agent, []).append(seq)
        return found

    def drop(self, after: int) -> None:
        """Drop the snapshots after an event."""
        with self._change() as db:
            db.execute("DELETE FROM snapshot WHERE seq > ?", (after,))

    def keep_newest(self) -> None:
        """Keep the newest snapshot of each agent for good, and no longer the ones before."""
        with self._change() as db:
            db.execute(
                "UPDATE snapshot SET kept = (seq = (SELECT max(seq) FROM snapshot AS other"
                " WHERE other.agent = snapshot.agent))"
            )


def _checksum(agent: str, seq: int, name: bytes) -> bytes:
    return hashlib.sha256(f"{agent} {seq} ".encode() + name).digest()
