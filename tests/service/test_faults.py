"""A full disk and a disk that fails: in the store by an SQLite VFS, in the service on a tmpfs."""

import contextlib
import json
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import apsw
import httpx
import pytest
from power_cut import Disk
from running import Server

from onebit.store.base import Indeterminate, StoreFull
from onebit.store.event import EMPTY, Draft, Kind
from onebit.store.sqlite import SqliteStore


class Faulty(Disk):
    """A disk that is full, or whose sync fails, while it is told to."""

    full = broken = full_but_for_the_log = False

    def xOpen(self, name, flags):  # noqa: N802
        opened = super().xOpen(name, flags)
        where = name.filename() if isinstance(name, apsw.URIFilename) else name
        write, sync = opened.xWrite, opened.xSync

        def full_or_write(data, offset):
            if self.full or (self.full_but_for_the_log and "-wal" not in str(where)):
                raise apsw.FullError("the disk is full")
            write(data, offset)

        def broken_or_sync(how):
            if self.broken:
                raise apsw.IOError("sync failed")
            sync(how)

        opened.xWrite, opened.xSync = full_or_write, broken_or_sync
        return opened


def draft(n):
    return Draft("a", Kind.DECISION, n.to_bytes(16, "big"), n, b"x" * 500)


def test_a_full_disk_refuses_events_and_recovers():
    disk = Faulty()
    store = SqliteStore(Path("/full.sqlite"), vfs=disk.name)
    store.append([draft(1)], EMPTY)
    disk.full = True
    for n in (2, 3):
        with pytest.raises(StoreFull):
            store.append([draft(n)], store.head())
    with pytest.raises(StoreFull):
        store.probe()
    assert store.head().seq == 1
    disk.full = False
    store.probe()
    store.append([draft(n) for n in range(2, 50)], store.head())
    assert [event.time for event in store.read(0, 100)] == list(range(1, 50))
    store.close()


def test_a_disk_that_is_full_when_the_log_is_moved_to_the_database(monkeypatch):
    """What was committed before is not called refused."""
    monkeypatch.setattr("onebit.store.checkpoints.PAGES", 1)
    disk = Faulty()
    store = SqliteStore(Path("/moved.sqlite"), vfs=disk.name)
    store.append([draft(1)], EMPTY)
    disk.full_but_for_the_log = True
    with pytest.raises(StoreFull):
        store.append([draft(2)], store.head())
    assert store.head().seq == 1
    disk.full_but_for_the_log = False
    store.append([draft(2)], store.head())
    assert [event.time for event in store.read(0, 100)] == [1, 2]
    store.close()


def test_a_failed_sync_is_the_end():
    disk = Faulty()
    store = SqliteStore(Path("/broken.sqlite"), vfs=disk.name)
    store.append([draft(1)], EMPTY)
    disk.broken = True
    with pytest.raises(Indeterminate):
        store.append([draft(2)], store.head())
    store.close()


def test_the_process_ends_when_a_sync_fails(tmp_path):
    script = """
        import asyncio, sys
        from pathlib import Path
        import msgspec
        from test_faults import Faulty
        from onebit.service.service import Service
        from onebit.service.settings import Settings
        from onebit.service.types import AgentRequest, DecisionRequest
        from onebit.store.sqlite import SqliteStore

        async def main():
            disk = Faulty()
            service = Service(SqliteStore(Path("/x.sqlite"), vfs=disk.name), Path(sys.argv[1]),
                              Settings())
            await service.start()
            hosted = await service.create("shop", AgentRequest("banditron", ["a", "b"], 256))
            request = DecisionRequest(msgspec.Raw(b'{"a": 1}'))
            await hosted.decide(request)
            disk.broken = True
            await hosted.decide(request)
            print("answered")

        asyncio.run(main())
    """
    paths = os.pathsep.join(str(Path(__file__).parent / p) for p in ("", "../store"))
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), str(tmp_path)], text=True,
        capture_output=True, timeout=120, env={**os.environ, "PYTHONPATH": paths}, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "answered" not in done.stdout
    assert "sync failed" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 3 MB, where one can be mounted."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(tmp_path)],
        capture_output=True, check=False,
    )  # fmt: skip
    if mounted.returncode:
        pytest.skip("a tmpfs cannot be mounted here")
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], capture_output=True, check=False)


def fill(path):
    handle = os.open(path, os.O_WRONLY | os.O_CREAT)
    with contextlib.suppress(OSError):
        while True:
            os.write(handle, bytes(4096))
    os.close(handle)


def test_a_full_disk_makes_the_service_read_only_until_there_is_room(small_disk):
    with Server(small_disk) as server, httpx.Client(base_url=server.url, timeout=300) as web:
        shop = "/v1/agents/shop"
        recipe = {"learner": "banditron", "labels": ["a", "b"]}
        web.put(shop, json=recipe).raise_for_status()
        told = [web.post(f"{shop}/decisions", json={"x": {"a": 1}}).json()["id"]]
        ballast = small_disk / "ballast"
        fill(ballast)
        answers = []
        while not answers or answers[-1].status_code == 200:
            answers.append(web.post(f"{shop}/decisions", json={"x": {"a": len(answers)}}))
        told += [answer.json()["id"] for answer in answers[:-1]]
        refused = answers[-1]
        assert refused.status_code == 503
        assert refused.headers["retry-after"] == "1"
        assert "the disk is full" in refused.json()["detail"]
        assert web.get("/ready").status_code == 503
        assert web.get("/health").status_code == 200
        assert web.post(f"{shop}/predict", json={"x": {"a": 1}}).status_code == 200
        body = {"id": told[0], "correct": True}
        assert web.post(f"{shop}/feedback", json=body).status_code == 503
        ballast.unlink()
        end = time.monotonic() + 20
        while web.get("/ready").status_code != 200 and time.monotonic() < end:
            time.sleep(0.1)
        assert web.post(f"{shop}/feedback", json=body).json() == {"status": "learned"}
        for id in told:
            assert web.get(f"{shop}/decisions/{id}").status_code == 200
        assert web.get(shop).json()["decisions"] == len(told)
        done = subprocess.run(
            [sys.executable, "-m", "onebit.cli", "log", "verify", str(small_disk), "--json"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert json.loads(done.stdout)["decisions"] == len(told)
        fill(ballast)
        code, printed, _ = server.stop()
        assert code == 0, printed
        assert "Traceback" not in printed
