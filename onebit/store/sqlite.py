"""The log in a SQLite file: write-ahead log, a sync for every commit, one writing connection."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import apsw.ext

from onebit.errors import BadFile
from onebit.store.base import Fenced, Indeterminate, StoredSnapshot, StoreFull
from onebit.store.checkpoints import Checkpoints
from onebit.store.event import Draft, Event, Fields, Head, chained, make_event
from onebit.store.schema import prepare
from onebit.store.snapshots import SnapshotTable

#: Rows of one INSERT: few statements, so that a thread seldom waits for the interpreter's lock.
_ROWS = 64
#: Events that `archive` drops in one transaction.
_DROPPED = 1000
_COLUMNS = "seq, agent, kind, decision, time, body, row, chain"
_INSERT = [
    f"INSERT INTO event VALUES {','.join(['(?,?,?,?,?,?,?,?)'] * n)}" for n in range(_ROWS + 1)
]
#: Decisions up to ?1 whose outcome is up to ?1 as well.
_CLOSED = """seq <= ?1 AND kind = 1 AND EXISTS (
    SELECT 1 FROM event AS ended WHERE ended.decision = event.decision
    AND ended.agent = event.agent AND ended.kind IN (2, 3) AND ended.seq <= ?1)"""


class SqliteStore:
    """A store in one SQLite file; see `onebit.store.base.Store`.

    Parameters
    ----------
    path : Path
        The file.
    writing : bool, default True
        Whether this process may write; the file is made if it is not there.
    synchronous : str, default "FULL"
        When SQLite syncs; anything less loses acknowledged events in a power cut.
    vfs : str, optional
        The name of an SQLite VFS. It then has one connection, which locks the file.
    """

    def __init__(
        self, path: Path, *, writing: bool = True, synchronous: str = "FULL", vfs: str | None = None
    ) -> None:
        self.path, self._vfs, self._writing = path, vfs, writing
        self._local = threading.local()
        self._opened: list[apsw.Connection] = []
        self._checkpoints: Checkpoints | None = None
        #: Where the log ends, if this store wrote it: another writer's events have its next number.
        self._end: Head | None = None
        self._db = self._connect(writing)
        try:
            prepare(self._db, path, create=writing)
            if writing and self._db.readonly("main"):
                raise BadFile(f"onebit: {path} must be a file that can be written.")
            if writing:
                self._db.pragma("journal_mode", "WAL")
                self._db.pragma("synchronous", synchronous)
                another = None if vfs is not None else lambda: self._connect(writing=True)
                self._checkpoints = Checkpoints(self._db, another)
        except apsw.Error as error:
            self.close()
            raise _unreadable(path, error) from None
        except BaseException:
            self.close()
            raise
        self._snapshots = SnapshotTable(self._reader, self._change)

    def _connect(self, writing: bool) -> apsw.Connection:
        flags = apsw.SQLITE_OPEN_READWRITE if writing else apsw.SQLITE_OPEN_READONLY
        if writing and not self.path.exists():
            flags |= apsw.SQLITE_OPEN_CREATE
        try:
            db = apsw.Connection(str(self.path), flags=flags, vfs=self._vfs)
        except apsw.Error as error:
            raise _unreadable(self.path, error) from None
        db.set_busy_timeout(5000)
        if self._vfs is not None:
            db.pragma("locking_mode", "EXCLUSIVE")  # then no shared memory is needed
        self._opened.append(db)
        return db

    def _reader(self) -> apsw.Connection:
        """Return a connection for reading, one for each thread."""
        if self._vfs is not None:
            return self._db
        db = getattr(self._local, "db", None)
        if db is None:
            db = self._local.db = self._connect(writing=False)
            db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        return db

    @contextlib.contextmanager
    def _change(self, explicit: bool = True) -> Iterator[apsw.Connection]:
        """A transaction of the writing connection: on the disk when the block ends, or not at all.

        One that is not `explicit` has one statement.

        Raises
        ------
        Fenced, StoreFull, Indeterminate
            See `onebit.store.base.Store.append`.
        """
        db = self._db
        try:
            if self._checkpoints is not None:  # not after the change: then it is on the disk
                self._checkpoints.before_commit()
            try:
                if explicit:
                    db.execute("BEGIN IMMEDIATE")
                yield db
                if explicit:
                    db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
        except apsw.ConstraintError as error:
            raise Fenced(f"the log has an event that was not expected: {error}") from None
        except (apsw.FullError, apsw.ReadOnlyError, apsw.BusyError) as error:
            raise StoreFull(str(error)) from None
        except apsw.Error as error:
            raise Indeterminate(f"{self.path} cannot be written: {error}") from None

    @property
    def base(self) -> Head:
        """The head before the oldest event that is still here."""
        return Head(*self._reader().execute("SELECT seq, chain FROM base").get)

    def head(self) -> Head:
        """Return the head of the log."""
        return self._head(self._reader())

    def _head(self, db: apsw.Connection) -> Head:
        last = "SELECT seq, chain FROM event ORDER BY seq DESC LIMIT 1"
        found: Any = db.execute(last).fetchone()
        if found is None:
            found = db.execute("SELECT seq, chain FROM base").fetchone()
        return Head(*found)

    def append(self, drafts: list[Draft], expect: Head) -> list[Event]:
        """Write events after this head; see `onebit.store.base.Store`."""
        events = chained(expect, drafts)
        with self._change(explicit=len(events) > _ROWS or expect != self._end) as db:
            if expect != self._end and (found := self._head(db)) != expect:
                raise Fenced(f"the log ends with event {found.seq}, not {expect.seq}")
            for at in range(0, len(events), _ROWS):
                some = events[at : at + _ROWS]
                db.execute(_INSERT[len(some)], [field for event in some for field in event])
        self._end = Head(events[-1].seq, events[-1].chain)
        return events

    def read(self, after: int, limit: int, through: int | None = None) -> list[Event]:
        """Return at most `limit` events after a number, in order."""
        return list(map(make_event, self.read_fields(after, limit, through)))

    def read_fields(self, after: int, limit: int, through: int | None = None) -> list[Fields]:
        """Return what `read` does as plain tuples, which is faster."""
        last = 2**62 if through is None else through
        sql = f"SELECT {_COLUMNS} FROM event WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
        return self._fields(sql, (after, last, limit))

    def decision(self, agent: str, id: bytes) -> list[Event]:
        """Return a decision and its outcome, as far as they are there."""
        sql = f"""SELECT {_COLUMNS} FROM event WHERE decision = ?1 AND agent = ?2 AND kind = 1
            UNION ALL SELECT {_COLUMNS} FROM event
            WHERE decision = ?1 AND agent = ?2 AND kind IN (2, 3)"""
        return self._events(sql, (id, agent))

    def is_archived(self, agent: str, id: bytes) -> bool:
        """Return whether a decision was moved to an archive."""
        sql = "SELECT 1 FROM archived WHERE decision = ? AND agent = ?"
        return self._reader().execute(sql, (id, agent)).get is not None

    def created(self) -> list[Event]:
        """Return the `created` events that are still here."""
        return self._events(f"SELECT {_COLUMNS} FROM event WHERE kind = 0 ORDER BY seq", ())

    def setup(self, agent: str) -> list[Event]:
        """Return the events of an agent that are about no decision."""
        sql = f"""SELECT {_COLUMNS} FROM event WHERE agent = ? AND kind NOT IN (1, 2, 3)
            ORDER BY seq"""
        return self._events(sql, (agent,))

    def unanswered(self, agent: str, after: int, through: int, limit: int) -> list[Event]:
        """Return decisions without outcome between two events, the oldest first."""
        sql = f"""SELECT {_COLUMNS} FROM event AS made
            WHERE seq > ? AND seq <= ? AND kind = 1 AND agent = ? AND NOT EXISTS (
              SELECT 1 FROM event AS ended WHERE ended.decision = made.decision
              AND ended.agent = made.agent AND ended.kind IN (2, 3))
            ORDER BY seq LIMIT ?"""
        return self._events(sql, (after, through, agent, limit))

    def last_at(self, time: int) -> int:
        """Return the number of the last event at or before a time: times never fall in a log."""
        low, high = self.base.seq, self.head().seq
        while low < high:
            middle = (low + high + 1) // 2
            found = self._reader().execute("SELECT time FROM event WHERE seq = ?", (middle,)).get
            low, high = (middle, high) if found is not None and found <= time else (low, middle - 1)
        return low

    def probe(self) -> None:
        """Write something that changes nothing; raises as `append` does."""
        with self._change() as db:
            db.execute("UPDATE base SET probes = probes + 1")

    def _events(self, sql: str, values: tuple[Any, ...]) -> list[Event]:
        return list(map(make_event, self._fields(sql, values)))

    def _fields(self, sql: str, values: tuple[Any, ...]) -> list[Any]:
        try:
            return self._reader().execute(sql, values).fetchall()
        except (apsw.CorruptError, apsw.NotADBError):
            raise BadFile(f"onebit: {self.path} is damaged.") from None

    def write_snapshot(self, agent: str, seq: int, content: bytes) -> Iterator[None]:
        """Write a snapshot in many short transactions, one at each step of the iterator."""
        return self._snapshots.write(agent, seq, content)

    def snapshots(self, agent: str) -> Iterator[StoredSnapshot]:
        """Yield the snapshots of an agent, the newest first."""
        return self._snapshots.read(agent)

    def snapshot_seqs(self) -> dict[str, list[int]]:
        """Return where the snapshots of each agent are, the newest first."""
        return self._snapshots.seqs()

    def drop_snapshots(self, after: int) -> None:
        """Drop the snapshots after an event; see `onebit.store.base.Store`."""
        self._snapshots.drop(after)

    def archive(self, through: int) -> Iterator[None]:
        """Drop events up to a number in many short transactions; see `onebit.store.base.Store`."""
        self._snapshots.keep_newest()
        while True:
            seq = self.base.seq
            if seq >= through:
                return
            last = min(seq + _DROPPED, through)
            with self._change() as db:
                chain = db.execute("SELECT chain FROM event WHERE seq = ?", (last,)).get
                closed = f"INSERT INTO archived SELECT decision, agent FROM event WHERE {_CLOSED}"
                db.execute(closed, (last,))
                db.execute(f"DELETE FROM event WHERE seq <= ?1 AND kind <> 1 OR {_CLOSED}", (last,))
                db.execute("UPDATE base SET seq = ?, chain = ?", (last, chain))
            yield

    def backup(self, target: Path) -> None:
        """Write a consistent copy of the store, also while another process writes to it."""
        db = self._reader()
        try:
            with contextlib.closing(apsw.Connection(str(target))) as copy:
                with db:  # one state of the store: else each commit would begin the copy anew
                    db.execute("SELECT seq FROM base").get  # noqa: B018
                    with copy.backup("main", db, "main") as backup:
                        while not backup.done:
                            backup.step(1000)
                copy.pragma("journal_mode", "DELETE")  # one file, without a log beside it
        except apsw.Error as error:
            raise BadFile(f"onebit: {target} cannot be written: {error}.") from None

    def close(self) -> None:
        """Close the store."""
        if self._checkpoints is not None:
            self._checkpoints.stop()
        for db in reversed(self._opened):
            with contextlib.suppress(apsw.Error):  # what it could not move is in the log beside it
                db.close()
        self._opened.clear()


def _unreadable(path: Path, error: apsw.Error) -> BadFile:
    return BadFile(f"onebit: {path} cannot be opened: {error}.")
