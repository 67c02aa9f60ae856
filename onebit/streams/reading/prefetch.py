"""Prefetch: a thread reads the next block while the learner works on this one."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from queue import SimpleQueue
from typing import Generic, TypeVar

from onebit.streams.reading.stdin import interrupted

T = TypeVar("T")


class Prefetch(Iterator[T], Generic[T]):
    """The same items; a thread computes each one while the caller uses the one before.

    An exception in the thread is raised in the caller, in place of the item. The thread ends after
    its current item when the caller calls `close`, which waits for it, or drops the iterator, which
    does not: the garbage collector runs in any thread, under any lock, so that it must not wait.
    """

    def __init__(self, items: Generator[T, None, None]) -> None:
        self._ready: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()
        self._room: SimpleQueue[bool] = SimpleQueue()  # True: room for an item; False: the end
        self._thread = threading.Thread(
            target=_produce, args=(items, self._ready, self._room), name="onebit-prefetch",
            daemon=True,
        )  # fmt: skip
        self._started = self._ended = False

    def __next__(self) -> T:
        """Return the next item."""
        if self._ended:
            raise StopIteration
        if not self._started:
            self._thread.start()
            self._started = True
            self._room.put(True)
        try:
            item, error = self._ready.get()
        except KeyboardInterrupt:
            interrupted.set()  # the thread may be waiting for standard input
            try:
                self.close()
            finally:
                interrupted.clear()
            raise
        if item is not None:
            self._room.put(True)
            return item
        self._ended = True
        self._thread.join()
        if error is not None:
            raise error
        raise StopIteration

    def close(self) -> None:
        """End the thread, and wait for that."""
        if self._started and not self._ended:
            self._room.put(False)
            while not self._ended:
                self._ended = self._ready.get()[0] is None
            self._thread.join()
        self._ended = True

    def __del__(self) -> None:
        self._room.put(False)


def _produce(
    items: Generator[T, None, None],
    ready: SimpleQueue[tuple[T | None, BaseException | None]],
    room: SimpleQueue[bool],
) -> None:
    """Put items into `ready`, each when there is room, until the end or until there is to be one.

    The end is an item that is None, with the exception if there was one.
    """
    error: BaseException | None = None
    try:
        for item in items:
            if not room.get():
                break
            ready.put((item, None))
    except BaseException as raised:  # raised again in the caller
        error = raised
    finally:
        items.close()
        ready.put((None, error))
