"""One block ahead: the next block is read while the learner works on this one."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterator
from typing import TypeVar

from onebit.streams.reading.stdin import interrupted

T = TypeVar("T")


def ahead(items: Generator[T, None, None]) -> Iterator[T]:
    """Return the same items, each made by another thread while the one before is in use.

    An error comes out where its item would have. When the caller stops early,
    the other thread ends too, after the item it is making.
    """
    waiting: queue.Queue[tuple[T | None, BaseException | None]] = queue.Queue(1)
    stop = threading.Event()

    def make() -> None:
        error: BaseException | None = None
        try:
            for item in items:
                waiting.put((item, None))
                if stop.is_set():
                    break
        except BaseException as raised:  # to be raised again by the caller
            error = raised
        finally:
            items.close()
            waiting.put((None, error))

    thread = threading.Thread(target=make, name="onebit-ahead", daemon=True)
    thread.start()
    ended = False
    try:
        while True:
            item, error = waiting.get()
            if item is None:
                ended = True
                if error is not None:
                    raise error
                return
            yield item
    except KeyboardInterrupt:
        interrupted.set()  # else the other thread waits for standard input
        raise
    finally:
        stop.set()
        while not ended:
            ended = waiting.get()[0] is None
        thread.join()
