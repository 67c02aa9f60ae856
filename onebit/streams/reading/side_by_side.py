"""Pieces of a file worked on side by side, by as many threads as there are cores."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

#: Results that may wait to be taken, for each thread: they take memory.
_WAITING = 2


def cores() -> int:
    """Return how many threads can run at the same time."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def map_side_by_side(function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
    """Yield function(item) for each item, in order; several threads compute them.

    An exception, of an item or of the iterator, is raised in its place: all results before it are
    yielded first. Only a few results wait at a time, however many items there are. A caller that
    stops early does not wait for the threads, which end after their current items: it may be the
    garbage collector, which runs in any thread, under any lock.
    """
    threads = cores()
    if threads == 1:
        yield from map(function, items)
        return
    waiting: deque[Future[R]] = deque()
    pool, waits = ThreadPoolExecutor(threads, thread_name_prefix="onebit-piece"), True
    try:
        taking = iter(items)
        while True:
            try:
                item = next(taking)
            except StopIteration:
                break
            except Exception:
                while waiting:
                    yield waiting.popleft().result()
                raise
            waiting.append(pool.submit(function, item))
            if len(waiting) > _WAITING * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except GeneratorExit:
        waits = False
        raise
    finally:
        pool.shutdown(waits, cancel_futures=True)
