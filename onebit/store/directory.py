"""The directory of a store: its files, the lock against a second writer, and the head file."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from onebit.errors import BadFile, LostEvents
from onebit.kernel.atomic import write_atomically
from onebit.store.base import Store
from onebit.store.event import Head
from onebit.store.sqlite import SqliteStore

STORE, HEAD, LOCK = "onebit.sqlite", "onebit.head", "onebit.lock"


@contextlib.contextmanager
def open_for_writing(directory: Path, accept_loss: bool = False) -> Iterator[SqliteStore]:
    """Lock a directory, made if need be, and open its store.

    Raises
    ------
    BadFile
        If it cannot be used; `LostEvents` if it has less than it had.
    """
    if directory.is_file():
        raise BadFile(
            f"onebit: {directory} must be a directory, got a file; an agent that was saved cannot"
            " be served, create one by PUT and teach it."
        )
    try:
        directory.mkdir(parents=True, exist_ok=True)
        lock = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        _refuse(directory, error)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadFile(
                f"onebit: {directory} is in use by another onebit serve; a store has one at a time."
            ) from None
        store = SqliteStore(directory / STORE)
        try:
            sync_directory(directory)
            check_head(store, directory / HEAD, accept_loss)
            yield store
        finally:
            store.close()
    finally:
        os.close(lock)


def open_for_reading(directory: Path) -> SqliteStore:
    """Open the store of a directory, or a file that a backup made, while another may write to it.

    Raises
    ------
    BadFile
        If there is none.
    """
    path = directory / STORE if directory.is_dir() else directory
    if not path.is_file():
        raise BadFile(f"onebit: {directory} must be the directory of a store, but has no {STORE}.")
    return SqliteStore(path, writing=False)


def write_head(path: Path, head: Head) -> None:
    """Write where the log ends, so that less is noticed at the next start."""
    with write_atomically(path) as file:
        file.write(json.dumps({"seq": head.seq, "chain": head.chain.hex()}).encode())


def check_head(store: Store, path: Path, accept_loss: bool) -> None:
    """Raise LostEvents if the log does not have all that the head file says it had."""
    if not path.exists():
        return
    try:
        found = json.loads(path.read_bytes())
        expected = Head(int(found["seq"]), bytes.fromhex(found["chain"]))
        if expected.seq < 0:
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        expected = Head(2**62, b"")
    head, base = store.head(), store.base
    at = store.read(expected.seq - 1, 1) if base.seq < expected.seq <= head.seq else []
    chain = at[0].chain if at else base.chain if expected.seq == base.seq else None
    if chain == expected.chain or expected.seq < base.seq:
        return
    if accept_loss:
        store.drop_snapshots(head.seq)
        write_head(path, head)
        return
    had = "an unreadable head file" if expected.seq == 2**62 else f"event {expected.seq}"
    raise LostEvents(
        f"onebit: {path.parent} ends with event {head.seq}, but had {had}: events were lost or"
        " changed; restore a backup, or go on with what is there by --accept-loss."
    )


def sync_directory(directory: Path) -> None:
    """Write the names of new files to the disk."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _refuse(directory: Path, error: OSError) -> NoReturn:
    raise BadFile(
        f"onebit: {directory} must be a directory that can be written: {error.strerror}."
    ) from None
