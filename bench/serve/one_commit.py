"""The service with a commit for every request, for comparison."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from onebit.service import sequencer
from onebit.service.server import run
from onebit.service.settings import Settings


class OneByOne(sequencer.Sequencer):
    """A sequencer whose batches are the events of one request."""

    def add(self, drafts: list[Any], then: Any = None) -> Any:
        """Make a batch of a request's events."""
        batch = sequencer.Batch(self._loop)
        batch.drafts += drafts
        batch.then += [] if then is None else [then]
        self._queue.append(batch)
        if not self._busy:
            self._start()
        return batch.done

    @property
    def _queue(self) -> list[sequencer.Batch]:
        return self.__dict__.setdefault("queue", [])  # type: ignore[no-any-return]

    def _start(self) -> None:
        if self._queue and not self._busy:
            self._busy = True
            self._jobs.put(self._queue.pop(0))

    def _committed(self, *given: Any) -> None:
        super()._committed(*given)
        self._start()


if __name__ == "__main__":
    from onebit.service import service

    service.Sequencer = OneByOne  # type: ignore[misc]
    run(Path(sys.argv[1]), Settings(port=0), False, lambda url: print(url, flush=True))
