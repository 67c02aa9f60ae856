"""Retention: old events go to a compressed file beside the store, and leave it."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import msgspec

from onebit.kernel.atomic import write_atomically
from onebit.service.settings import Settings, seconds_of
from onebit.store.exporting import Exporter
from onebit.store.sqlite import SqliteStore
from onebit.store.tables import row_of_event, write_parquet

#: Fewer events than this are not worth a file.
LEAST = 1000
FOLDER = "archive"


class Archiver:
    """Writes the events that are older than `keep` to files in the folder `archive`."""

    def __init__(self, store: SqliteStore, directory: Path, settings: Settings) -> None:
        self._store, self._folder = store, directory / FOLDER
        self._keep = None if settings.keep is None else seconds_of("keep", settings.keep)
        self._parquet = settings.archive == "parquet"

    def boundary(self, now: int, paused: int | None) -> int:
        """Return up to which event everything is old, closed, learned and in a snapshot."""
        assert self._keep is not None
        store, first = self._store, self._store.base.seq
        through = store.last_at(now - int(self._keep * 1e6))
        agents = {event.agent for event in store.created()} | set(store.snapshot_seqs())
        for agent in agents:
            through = min(through, store.snapshot_seqs().get(agent, [0])[0])
        if paused is not None:
            through = min(through, paused - 1)
        for agent in agents:
            for event in store.unanswered(agent, first, through, 1):
                through = event.seq - 1
        return through

    def write(self, now: int, paused: int | None) -> Iterator[None] | None:
        """Write a file of old events; return the work that drops them, None if there are few."""
        first, through = self._store.base.seq + 1, self.boundary(now, paused)
        if through - first + 1 < LEAST:
            return None
        self._folder.mkdir(exist_ok=True)
        name = f"events-{first:012}-{through:012}"
        lines = Exporter(self._store).every_event(first - 1, through)
        if self._parquet:
            write_parquet(self._folder / f"{name}.parquet", map(row_of_event, lines))
        else:
            with (
                write_atomically(self._folder / f"{name}.jsonl.gz") as file,
                gzip.open(file, "wb") as packed,
            ):
                for line in lines:
                    packed.write(msgspec.json.encode(line) + b"\n")
        return self._store.archive(through)
