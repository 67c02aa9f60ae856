"""Processes that compile the same code at the same time: one compiles, the others load it."""

import os
import subprocess
import sys
import time

import pytest

from onebit.kernel import file_lock
from onebit.kernel.file_lock import FileLock

pytestmark = pytest.mark.skipif(file_lock.fcntl is None, reason="files are locked otherwise there")
HOLD = """
import sys, time, pathlib
from onebit.kernel.file_lock import FileLock
lock = FileLock(pathlib.Path(sys.argv[1]))
lock.acquire("name")
print("held", flush=True)
time.sleep(60)
"""
# Argument: the types of the values of rows that are checked.
COMPILE = """
import sys
import numpy as np
from numba.core import event
from onebit.kernel.validation import sparse_rows_are_sound
class Count(event.Listener):
    entries = 0
    def on_start(self, event): self.entries += event.data["dispatcher"].py_func.__name__ == (
        "sparse_rows_are_sound")
    def on_end(self, event): pass
count = Count()
event.register("numba:compile", count)
for kind in sys.argv[1:]:
    assert sparse_rows_are_sound(np.array([0, 1]), np.zeros(1, "i4"), np.ones(1, kind), 1, 9.0)
print(count.entries)
"""


def test_a_name_is_held_once_and_free_again_when_its_process_was_killed(tmp_path, monkeypatch):
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        lock = FileLock(tmp_path)
        monkeypatch.setattr(file_lock, "PATIENCE", 0.2)
        start = time.monotonic()
        lock.acquire("another name")
        assert time.monotonic() - start < 0.1
        lock.acquire("name")  # it goes on without
        assert time.monotonic() - start >= 0.2
        process.kill()
    monkeypatch.setattr(file_lock, "PATIENCE", 60.0)
    start = time.monotonic()
    lock.acquire("name")
    assert time.monotonic() - start < 1.0
    lock.release()


def test_a_directory_that_is_gone_is_not_locked(tmp_path):
    FileLock(tmp_path / "gone").acquire("name")


@pytest.mark.compiled
def test_two_processes_compile_each_signature_once_and_all_are_kept(tmp_path):
    def compiled(*kinds):
        command = [sys.executable, "-c", COMPILE, *kinds]
        env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
        return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)

    with compiled("f8", "f4") as one, compiled("f8", "i8") as other:
        counts = [int(each.stdout.read()) for each in (one, other)]
    assert sum(counts) == 3, counts
    with compiled("f8", "f4", "i8") as third:
        assert int(third.stdout.read()) == 0
