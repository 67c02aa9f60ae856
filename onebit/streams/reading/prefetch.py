"""Prefetch: a thread reads the next block while the learner works on this one."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterator
from typing import TypeVar

from onebit.streams.reading.stdin import interrupted

T = TypeVar("T")


def prefetch(items: Generator[T, None, None]) -> Iterator[T]:
    """Return the same items; a thread computes each one while the caller uses the one before.

    An exception in the thread is raised in the caller, in place of the item. When the caller
    stops early, the thread ends after its current item.
    """
    ready: queue.Queue[tuple[T | None, BaseException | None]] = queue.Queue(1)
    stop = threading.Event()

    def produce() -> None:
        error: BaseException | None = None
        try:
            for item in items:
                ready.put((item, None))
                if stop.is_set():
                    break
        except BaseException as raised:  # raised again in the caller
            error = raised
        finally:
            items.close()
            ready.put((None, error))

    thread = threading.Thread(target=produce, name="onebit-prefetch", daemon=True)
    thread.start()
    ended = raised = False
    try:
        while True:
            item, error = ready.get()
            if item is None:
                ended = True
                if error is not None:
                    raise error
                return
            yield item
    except KeyboardInterrupt:
        raised = True
        interrupted.set()  # the thread may be waiting for standard input
        raise
    finally:
        stop.set()
        while not ended:
            ended = ready.get()[0] is None
        thread.join()
        if raised:
            interrupted.clear()
