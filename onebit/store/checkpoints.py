"""Checkpoints of the write-ahead log, in a thread beside the commits.

A checkpoint moves pages of the log to the database and syncs both; a commit that had to make one
first took several times as long. SQLite reuses the log from its start only after a checkpoint of
all of it. Under load new pages come while older ones are moved, so that once the log is long the
writing connection makes a checkpoint itself, of the few pages that are left.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

import apsw

from onebit.errors import BadFile

#: Pages of the log that are moved at a time.
PAGES = 1000
#: Pages of the log (of 4 KB each) at which a commit waits until all are moved.
MOST_PAGES = 16_000


class Checkpoints:
    """Moves pages of the log that one connection writes.

    Parameters
    ----------
    db : Connection
        The writing connection, whose own checkpoints are switched off here.
    connect : callable, optional
        Opens another connection; without it the writing one moves all pages.
    """

    def __init__(self, db: apsw.Connection, connect: Callable[[], apsw.Connection] | None) -> None:
        self._db, self._connect = db, connect
        self._pages = self._moved = 0
        self._due, self._stopped = threading.Event(), False
        self._thread: threading.Thread | None = None
        self._error: Exception | None = None
        db.pragma("wal_autocheckpoint", 0)
        db.set_wal_hook(self._count)

    def _count(self, db: apsw.Connection, name: str, pages: int) -> int:
        self._pages = pages
        return apsw.SQLITE_OK

    def before_commit(self) -> None:
        """Have pages moved if there are many; the log takes the next change in any case.

        Raises
        ------
        apsw.Error
            If pages could not be moved. After a sync that failed, the next one proves nothing.
        """
        if self._error is not None:
            raise self._error
        if self._pages < self._moved:  # the log was started over
            self._moved = 0
        if self._pages >= (PAGES if self._connect is None else MOST_PAGES):
            with contextlib.suppress(apsw.BusyError):  # the thread is at it: after the next commit
                self._db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
                self._pages = self._moved = 0
        elif self._connect is not None and self._pages - self._moved >= PAGES:
            self._moved = self._pages
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._move, name="onebit-checkpoints", daemon=True
                )
                self._thread.start()
            self._due.set()

    def _move(self) -> None:
        """Move pages when they are due; the thread."""
        assert self._connect is not None
        try:
            db = self._connect()
            db.execute("SELECT seq FROM base").get  # noqa: B018  it opens the log
            while self._due.wait() and not self._stopped:
                self._due.clear()
                with contextlib.suppress(apsw.BusyError, apsw.FullError):  # later, then
                    db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        except (apsw.Error, BadFile) as error:
            self._error = error

    def stop(self) -> None:
        """End the thread."""
        self._stopped = True
        self._due.set()
        if self._thread is not None:
            self._thread.join()
