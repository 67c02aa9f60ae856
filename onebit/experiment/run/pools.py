"""Where trials run: threads here, processes here, or a Dask cluster."""

from __future__ import annotations

import concurrent.futures as futures
import importlib
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from onebit.errors import BadInput
from onebit.streams.reading.stdin import interrupted


@contextmanager
def open_pool(
    workers: int, processes: bool = False, dask: str | None = None
) -> Iterator[futures.Executor]:
    """Yield a pool to submit trials to; the same bits come back from any of them."""
    if dask is not None:
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise BadInput(
                "onebit: --dask needs Dask, install it with: pip install 'onebit[dask]'."
            ) from None
        try:
            client = distributed.Client(dask, timeout="10s", set_as_default=False)
        except (OSError, ValueError) as error:
            raise BadInput(f"onebit: no Dask scheduler answers at {dask}: {error}.") from None
        with client, client.get_executor(pure=False, retries=3) as executor:
            yield executor
        return
    executor = (
        futures.ProcessPoolExecutor(workers, initializer=_ignore_interrupts)
        if processes
        else futures.ThreadPoolExecutor(workers)
    )
    try:
        yield executor
    finally:  # after Ctrl-C nothing waits for a trial that does not stop
        executor.shutdown(wait=not interrupted.is_set(), cancel_futures=True)


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
