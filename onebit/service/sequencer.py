"""The order of events, and group commit: while one commit syncs, the next batch gathers."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator

from onebit.errors import Unavailable
from onebit.store.base import Fenced, Indeterminate, Store, StoreFull
from onebit.store.event import Draft, Event, Head

#: What happens after a commit: called with None, or with the error that nothing was logged for.
Then = Callable[[Unavailable | None], None]


class Batch:
    """Events that are committed together.

    Once they are on the disk and applied, `done` is set and each of `then` is called.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.drafts: list[Draft] = []
        self.then: list[Then] = []
        self.done: asyncio.Future[None] = loop.create_future()
        self.done.add_done_callback(_seen)


def _seen(done: asyncio.Future[None]) -> None:
    if not done.cancelled():
        done.exception()  # no caller may be waiting for it


class Sequencer:
    """Gives events their order, commits them in batches, and has them applied in that order.

    `applied(events)` is called in the event loop after each commit, `dropped(drafts)` when there
    was no room for them, and `failed(error)` when the process must end. A thread of its own
    writes; it also takes a step of `background` work between batches.
    """

    def __init__(
        self,
        store: Store,
        applied: Callable[[list[Event]], None],
        dropped: Callable[[list[Draft]], None],
        failed: Callable[[Exception], None],
        most: int,
    ) -> None:
        self._store, self._applied, self._dropped, self._failed = store, applied, dropped, failed
        self._loop = asyncio.get_running_loop()
        self.most = most
        self.head: Head = store.head()
        self.read_only = False
        self.commits, self.commit_seconds, self.largest = 0, 0.0, 0
        self._next = Batch(self._loop)
        self._busy = False
        self._jobs: queue.SimpleQueue[Batch | str | None] = queue.SimpleQueue()
        self._background: deque[Iterator[None]] = deque()
        self._thread = threading.Thread(target=self._write, name="onebit-writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many events wait for the next commit."""
        return len(self._next.drafts)

    def check_room(self) -> None:
        """Raise Unavailable if too many events wait, or the disk is full."""
        if self.read_only:
            raise Unavailable(
                "onebit serve: the disk is full, so that nothing can be logged; predict goes on."
            )
        if len(self._next.drafts) >= self.most:
            raise Unavailable(f"onebit serve: {self.most} events wait already, try again soon.")

    def add(self, drafts: list[Draft], then: Then | None = None) -> asyncio.Future[None]:
        """Put events into the next batch; await the result, or have `then` called, to answer.

        Raises
        ------
        Unavailable
            If too many wait, or the disk is full.
        """
        self.check_room()
        batch = self._next
        if not self._busy and not batch.drafts:  # whatever arrives with this one goes with it
            self._loop.call_soon(self._start)
        batch.drafts += drafts
        if then is not None:
            batch.then.append(then)
        return batch.done

    def _start(self) -> None:
        if self._busy or not self._next.drafts:
            return
        batch, self._next = self._next, Batch(self._loop)
        self._busy = True
        self._jobs.put(batch)

    def run_in_background(self, work: Iterator[None]) -> None:
        """Let the writing thread take the steps of an iterator, one between two batches."""
        self._background.append(work)
        self._jobs.put("background")

    def drop_background(self) -> None:
        """Leave the background work where it is; it can be done later."""
        self._background.clear()

    @property
    def in_background(self) -> int:
        """How much background work is left."""
        return len(self._background)

    def _write(self) -> None:
        """Commit batches; the writing thread."""
        while True:
            try:
                job = self._jobs.get_nowait() if self._background else self._jobs.get()
            except queue.Empty:
                job = "background"
            if job is None:
                return
            if isinstance(job, Batch):
                self._commit(job)
            elif job == "probe":
                self._try(self._store.probe, self._probed)
            if self._background:
                self._try(self._step, lambda error: None)

    def _commit(self, batch: Batch) -> None:
        began = time.perf_counter()
        found: list[list[Event]] = []
        self._try(
            lambda: found.append(self._store.append(batch.drafts, self.head)),
            lambda error: self._committed(batch, found, error, time.perf_counter() - began),
        )

    def _try(self, work: Callable[[], object], then: Callable[[Exception | None], None]) -> None:
        """Do something with the store, then call back in the event loop."""
        error: Exception | None = None
        try:
            work()
        except (StoreFull, Fenced, Indeterminate, Exception) as raised:
            error = raised
        if error is not None and not isinstance(error, StoreFull):
            fatal = error
            self._call(lambda: self._failed(fatal))
        else:
            self._call(lambda: then(error))

    def _call(self, function: Callable[[], None]) -> None:
        try:
            self._loop.call_soon_threadsafe(function)
        except RuntimeError:  # the loop is closed
            return

    def _step(self) -> None:
        """Take a step of the background work."""
        try:
            work = self._background[0]
        except IndexError:  # it was dropped
            return
        try:
            next(work)
        except (StopIteration, StoreFull):  # for lack of room: it will be tried again at its time
            with contextlib.suppress(ValueError):
                self._background.remove(work)

    def _committed(
        self, batch: Batch, found: list[list[Event]], error: Exception | None, seconds: float
    ) -> None:
        """Apply a batch that is on the disk, answer, and start the next one."""
        self._busy = False
        if error is not None:
            self._refuse(batch)
            self._refuse(self._next)
            self._next = Batch(self._loop)
            self._set_read_only()
            return
        (events,) = found
        self.head = Head(events[-1].seq, events[-1].chain)
        self.commits += 1
        self.commit_seconds += seconds
        self.largest = max(self.largest, len(events))
        try:
            self._applied(events)
        except Exception as raised:  # the log is the truth, and it cannot be applied
            self._failed(raised)
            return
        batch.done.set_result(None)
        for then in batch.then:
            then(None)
        self._loop.call_soon(self._start)

    def _refuse(self, batch: Batch) -> None:
        self._dropped(batch.drafts)
        why = Unavailable("onebit serve: the disk is full, nothing of this was logged.")
        if not batch.done.done():
            batch.done.set_exception(why)
        for then in batch.then:
            then(why)

    def _set_read_only(self) -> None:
        self.read_only = True
        self._loop.call_later(1.0, self._jobs.put, "probe")

    def _probed(self, error: Exception | None) -> None:
        if error is None:
            self.read_only = False
        else:
            self._set_read_only()

    async def drain(self) -> None:
        """Wait until everything is committed and the background work is done."""
        while self._busy or self._next.drafts or self._background:
            await asyncio.sleep(0.005)

    def stop(self) -> None:
        """End the writing thread."""
        self._jobs.put(None)
        self._thread.join(timeout=10)
