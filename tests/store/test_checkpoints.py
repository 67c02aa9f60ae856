"""Pages of the write-ahead log reach the database beside the commits, and the log stays short."""

import threading
import time

import pytest

from onebit.store import checkpoints
from onebit.store.base import Indeterminate
from onebit.store.event import Draft, Kind
from onebit.store.sqlite import SqliteStore

PAGE = 4096


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "PAGES", 20)
    monkeypatch.setattr(checkpoints, "MOST_PAGES", 100)
    made = SqliteStore(tmp_path / "s.sqlite")
    yield made
    made.close()


def append(store, commits):
    """Write so many commits of two pages or more."""
    for _ in range(commits):
        store.append([Draft("a", Kind.SETTING, None, 1, b"x" * PAGE)], store.head())


def threads():
    return [t for t in threading.enumerate() if t.name == "onebit-checkpoints"]


def test_the_log_is_moved_by_a_thread_and_stays_short(store, tmp_path):
    log = tmp_path / "s.sqlite-wal"
    append(store, 400)
    assert len(threads()) == 1
    assert log.stat().st_size < 200 * PAGE  # some frames are written while others are moved
    assert len(store.read(0, 1000)) == 400
    store.close()
    assert threads() == []
    again = SqliteStore(tmp_path / "s.sqlite", writing=False)
    assert len(again.read(0, 1000)) == 400
    again.close()


def test_the_thread_moves_pages_before_a_commit_has_to(store, tmp_path):
    append(store, 15)
    before = (tmp_path / "s.sqlite").stat().st_size
    append(store, 10)
    deadline = time.monotonic() + 10
    while (tmp_path / "s.sqlite").stat().st_size <= before:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_reader_that_holds_an_old_state_delays_it_and_nothing_is_lost(store, tmp_path):
    append(store, 5)
    reader = store._connect(writing=False)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM event").get  # noqa: B018  it reads the log from here on
    append(store, 300)
    assert (tmp_path / "s.sqlite-wal").stat().st_size > 300 * PAGE
    reader.execute("COMMIT")
    append(store, 100)
    assert len(store.read(0, 1000)) == 405


def test_a_checkpoint_that_is_under_way_elsewhere_is_not_waited_for(store, monkeypatch):
    append(store, 100)
    counts = store._checkpoints
    counts._pages, tried = 10**6, []

    class Busy:
        def wal_checkpoint(self, **_):
            tried.append(1)
            raise checkpoints.apsw.BusyError

    monkeypatch.setattr(counts, "_db", Busy())
    counts.before_commit()
    assert (tried, counts._pages) == ([1], 10**6)


def test_a_sync_that_failed_in_the_thread_ends_the_log(store, monkeypatch):
    class Broken:
        def execute(self, _):
            return self

        get = None

        def wal_checkpoint(self, **_):
            raise checkpoints.apsw.IOError("disk I/O error")

    monkeypatch.setattr(store._checkpoints, "_connect", Broken)
    with pytest.raises(Indeterminate, match="disk I/O error"):
        append(store, 1000)
