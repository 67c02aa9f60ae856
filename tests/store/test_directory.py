"""The directory of a store: one writer, a head file, and files that are no store."""

import multiprocessing
import os
import sqlite3
import threading

import pytest
from log_writer import Writer

from onebit.errors import BadFile, LostEvents
from onebit.store.directory import (
    HEAD,
    STORE,
    open_for_reading,
    open_for_writing,
    write_head,
)
from onebit.store.event import Draft, Kind
from onebit.store.fold import snapshot_content
from onebit.store.recent import Recent
from onebit.store.recovery import recover


def _try(directory, answer):
    try:
        with open_for_writing(directory):
            answer.put("opened")
    except BadFile as error:
        answer.put(str(error))


def test_a_second_writer_is_refused(tmp_path):
    spawn = multiprocessing.get_context("spawn")
    answer = spawn.Queue()
    with open_for_writing(tmp_path):
        other = spawn.Process(target=_try, args=(tmp_path, answer))
        other.start()
        assert "is in use by another onebit serve" in answer.get(timeout=60)
        other.join()
    with open_for_writing(tmp_path):
        pass


def test_readers_see_what_a_writer_commits(tmp_path):
    with open_for_writing(tmp_path) as store:
        writer = Writer(store)
        reader = open_for_reading(tmp_path)
        writer.some(20)
        assert reader.head() == store.head()
        reader.close()


def write_log(directory, count=60):
    with open_for_writing(directory) as store:
        writer = Writer(store)
        writer.some(count)
        write_head(directory / HEAD, store.head())
        return store.head()


def test_less_than_there_was_is_refused_unless_accepted(tmp_path):
    head = write_log(tmp_path)
    with sqlite3.connect(tmp_path / STORE) as db:
        db.execute("DELETE FROM event WHERE seq > ?", (head.seq - 3,))
    for _ in range(2):
        why = rf"ends with event {head.seq - 3}, but had"
        with pytest.raises(LostEvents, match=why), open_for_writing(tmp_path):
            pass
    with open_for_writing(tmp_path, accept_loss=True) as store:
        assert store.head().seq == head.seq - 3
    with open_for_writing(tmp_path):  # said once is enough
        pass


def test_another_history_of_the_same_length_is_refused(tmp_path):
    write_log(tmp_path / "one")
    write_log(tmp_path / "two", 80)
    (tmp_path / "one" / HEAD).replace(tmp_path / "two" / HEAD)
    (tmp_path / "two" / STORE).replace(tmp_path / "one" / STORE)
    head = (tmp_path / "two" / HEAD).read_text()
    (tmp_path / "one" / HEAD).write_text(head.replace('"chain": "', '"chain": "00'))
    with pytest.raises(LostEvents), open_for_writing(tmp_path / "one"):
        pass


def test_a_damaged_head_file_is_not_ignored(tmp_path):
    write_log(tmp_path)
    for content in ("{", '{"seq": -5, "chain": ""}', '{"seq": 1e400, "chain": ""}'):
        (tmp_path / HEAD).write_text(content)
        with pytest.raises(LostEvents, match="an unreadable head"), open_for_writing(tmp_path):
            pass


def test_a_log_with_more_than_the_head_file_knows_is_fine(tmp_path):
    write_log(tmp_path)
    old = (tmp_path / HEAD).read_text()
    with open_for_writing(tmp_path) as store:
        Writer(store, "other").some(20)
    (tmp_path / HEAD).write_text(old)
    with open_for_writing(tmp_path):
        pass


def test_a_foreign_file_is_refused_and_left_alone(tmp_path):
    path = tmp_path / STORE
    path.write_bytes(b"something else " * 500)
    before = path.read_bytes()
    with pytest.raises(BadFile, match="not a store of onebit"), open_for_writing(tmp_path):
        pass
    assert path.read_bytes() == before
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE mine (x)")
    before = path.read_bytes()
    with pytest.raises(BadFile, match="a SQLite file, but not a store"), open_for_writing(tmp_path):
        pass
    assert path.read_bytes() == before


def test_a_store_of_a_newer_version_is_refused(tmp_path):
    write_log(tmp_path)
    with sqlite3.connect(tmp_path / STORE) as db:
        db.execute("PRAGMA user_version = 99")
    why = "of format 99, written by a newer onebit"
    with pytest.raises(BadFile, match=why), open_for_writing(tmp_path):
        pass
    with pytest.raises(BadFile, match="of format 99"):
        open_for_reading(tmp_path)


def test_a_directory_that_cannot_be_used(tmp_path):
    (tmp_path / "file").write_text("")
    why = "must be a directory that can be written"
    with pytest.raises(BadFile, match=why), open_for_writing(tmp_path / "file" / "inside"):
        pass
    with pytest.raises(BadFile, match="got a file"), open_for_writing(tmp_path / "file"):
        pass
    with pytest.raises(BadFile, match=f"has no {STORE}"):
        open_for_reading(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_directory(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(BadFile, match="Permission denied"), open_for_writing(tmp_path):
        pass


def test_a_backup_of_a_store_in_use_is_a_store(tmp_path):
    with open_for_writing(tmp_path / "live") as store:
        writer = Writer(store)
        writer.some(100)
        reader = open_for_reading(tmp_path / "live")
        (tmp_path / "copy").mkdir()
        reader.backup(tmp_path / "copy" / STORE)
        reader.close()
        writer.some(10)
        expected = recover(store, Recent())["shop"].agent.digest()
    assert sorted(os.listdir(tmp_path / "copy")) == [STORE]
    with open_for_writing(tmp_path / "copy") as copy:
        before = recover(copy, Recent())["shop"]
        assert before.seq >= 100
        assert before.agent.digest() != expected


@pytest.mark.parametrize("where", ["store", "wal"])
def test_flipped_bytes_are_noticed_or_harmless(tmp_path, where):
    """No flipped byte ever gives a log that looks right and is not."""
    head = write_log(tmp_path, 40)
    if where == "wal":  # a copy while it is open, before the log is moved into the database
        with open_for_writing(tmp_path) as store:
            Writer(store, "other").some(40)
            write_head(tmp_path / HEAD, store.head())
            head = store.head()
            files = {p.name: p.read_bytes() for p in tmp_path.iterdir() if "lock" not in p.name}
    else:
        files = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    files.pop("onebit.sqlite-shm", None)
    name = STORE if where == "store" else f"{STORE}-wal"
    events, noticed = None, 0
    for n in range(60):
        copy = tmp_path / str(n)
        copy.mkdir()
        for each, content in files.items():
            if each == name and n:
                at = (n * 7919) % len(content)
                content = content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :]
            (copy / each).write_bytes(content)
        try:
            with open_for_writing(copy) as store:
                recover(store, Recent())
                found = store.read(0, 10_000)
        except BadFile:
            noticed += 1
            continue
        events = events or found
        assert store is not None
        assert found == events
        assert found[-1].seq == head.seq
    assert noticed >= 5


def test_a_loss_that_is_accepted_takes_the_snapshots_after_it(tmp_path):
    with open_for_writing(tmp_path) as store:
        writer = Writer(store)
        writer.some(60)
        content = snapshot_content(writer.fold.header(), writer.fold.agent.to_bytes())
        for seq in (20, writer.fold.seq):
            list(store.write_snapshot("shop", seq, content))
        write_head(tmp_path / HEAD, store.head())
    with sqlite3.connect(tmp_path / STORE) as db:
        db.execute("DELETE FROM event WHERE seq > 30")
    with open_for_writing(tmp_path, accept_loss=True) as store:
        assert store.snapshot_seqs() == {"shop": [20]}


def test_a_backup_ends_while_the_store_is_written_to(tmp_path):
    """A commit between two steps must not begin the copy anew."""
    with open_for_writing(tmp_path) as store:

        def write(count):
            ids = (os.urandom(16) for _ in range(count))
            drafts = [Draft("shop", Kind.DECISION, id, 1, bytes(1000)) for id in ids]
            store.append(drafts, store.head())

        def write_on():
            while not ended.is_set():
                write(1)

        write(20_000)
        reader, ended = open_for_reading(tmp_path), threading.Event()
        writing = threading.Thread(target=write_on)
        copying = threading.Thread(target=reader.backup, args=(tmp_path / "copy",))
        writing.start()
        copying.start()
        copying.join(60)
        endless = copying.is_alive()
        ended.set()
        writing.join()
        copying.join()
        reader.close()
    assert not endless
    copy = open_for_reading(tmp_path / "copy")
    assert copy.head().seq >= 20_000
    copy.close()
