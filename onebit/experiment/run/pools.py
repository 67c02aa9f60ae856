"""Where trials run: threads here, processes here, or a Dask cluster."""

from __future__ import annotations

import concurrent.futures as futures
import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from onebit.errors import BadInput


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
    elif processes:
        with futures.ProcessPoolExecutor(workers) as executor:
            yield executor
    else:
        with futures.ThreadPoolExecutor(workers) as executor:
            yield executor
