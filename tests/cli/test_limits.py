"""Unbounded work, full disks and other tracebacks of the past: one sentence, at once."""

import os
import subprocess
import sys
import time

import pytest

ONEBIT = (sys.executable, "-m", "onebit.cli")
#: Commands whose numbers would take forever, the limit, and the number it would be.
TOO_MUCH = {
    "sweep car banditron --over gamma=2^-1..2^-1000000000": ("at most 1,000", "1,000,000,000"),
    "sweep car banditron --over n=1..1000000000000": ("at most 1,000", "1,000,000,000,000"),
    "sweep car banditron --over gamma=0.1,0.2 --seeds 1e9": ("at most 100,000", "2,000,000,000"),
    "compare car banditron --seeds 1e12": ("at most 100,000 trials", "1,000,000,000,000"),
    "compare car banditron --workers 1e8": ("from 1 to 1000", "1e8"),
    "reproduce --workers 1e8": ("from 1 to 1000", "1e8"),
    "play car banditron --with pairs --with pairs --with pairs --with pairs": (
        "at most 16,777,216 entries", "327,206,571",
    ),
    "play car banditron --with project:n=1e9": ("from 1 to 1048576", "1e9"),
    "play car banditron --with delay:n=1e15": ("from 0 to 1000000000000", "1e15"),
    "play vote:width=1e9 banditron": ("from 2 to 100000", "1e9"),
    "play car exp4 --with advise:class=stumps,n=1e15": ("at most 1,000,000", "about 1e"),
    "play car exp4 --with advise:class=grid,steps=1e18": ("at most 1,000,000", "about 1e1"),
    "play car banditboost:n=1e12": ("must fit into memory", "1"),
    "play car exp3p:rounds=1e24": ("must be below 2^63", "99999999999999998"),
    "play few.csv:hashed=1e12 banditron": ("to 1073741824", "1e12"),
    "play few.svm:features=1e12 banditron": ("to 2147483647", "1e12"),
    "play few.svm:features=2e9 naive-bayes": ("at most 4,194,304 features", "2,000,000,000"),
    "play few.svm:features=2e9,columns=1/2 naive-bayes": ("at most 4,194,304", "2,000,000,000"),
    "play few.svm:columns=1|2 banditron": ("none, or WIDTH/VALUES", "('1', '2')"),
    "play few.csv banditron --label-column \u00b2": ("one of x, y or 1 to 2", "\u00b2"),
    f"play few.csv banditron --label-column {'9' * 5000}": ("one of x, y or 1 to 2", "999..."),
    "sweep car banditron --over gamma=0.1,0.1": ("each value once", "0.1,0.1"),
    "sweep car banditron --over gamma=0.5,2^-1": ("each value once", "0.5,2^-1"),
}  # fmt: skip


def onebit(*args, **more):
    options = {"capture_output": True, "text": True, "timeout": 120, **more}
    return subprocess.run([*ONEBIT, *args], **options)


@pytest.mark.compiled
@pytest.mark.parametrize("command", TOO_MUCH)
def test_work_without_end_is_refused_at_once(command, inside, tmp_path):
    (tmp_path / "few.csv").write_text("x,y\n1,a\n2,b\n")
    (tmp_path / "few.svm").write_text("1 1:1\n2 2:1\n")
    before = time.monotonic()
    run = inside(*command.split())
    assert run.returncode == 2, run.stderr
    assert run.stderr.splitlines()[-1].count(".") >= 1
    assert "Traceback" not in run.stderr
    for text in TOO_MUCH[command]:
        assert text in run.stderr
    assert time.monotonic() - before < 60  # a second, but for compiling on a loaded machine


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("command", ["learners", "bound", "play car uniform", "learners banditron",
                                     "play car uniform --json"])  # fmt: skip
def test_a_full_disk_under_stdout_is_one_sentence(command):
    with open("/dev/full", "w") as full:
        run = onebit(*command.split(), stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert run.returncode == 1
    assert run.stderr == "onebit: the output failed: No space left on device.\n"


FULL = """
import builtins, errno, io, os, pathlib, sys
from onebit.cli.main import main
real = io.open
def refuse(file, mode="r", *rest, **more):
    if "w" in mode and str(file).startswith(sys.argv[-1]):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(file))
    return real(file, mode, *rest, **more)
io.open = builtins.open = refuse
main()
"""


def test_a_full_disk_under_out_is_one_sentence(tmp_path):
    """Every file of --out cannot be opened, as on a disk without space."""
    for command in ("play car uniform", "compare car uniform --seeds 2", "reproduce table1"):
        words = [*command.split(), "--out", str(tmp_path / "out")]
        run = subprocess.run([sys.executable, "-c", FULL, *words], capture_output=True, text=True)
        assert run.returncode == 1, run.stderr
        last = run.stderr.splitlines()[-1]
        assert last.startswith(f"onebit: {tmp_path}")
        assert last.endswith("written: No space left on device.")
        assert "Traceback" not in run.stderr


def test_a_folder_of_out_that_cannot_be_is_exit_code_2(tmp_path):
    (tmp_path / "file").write_text("")
    for target in ("file", "file/out", "/proc/out"):
        run = onebit("compare", "car", "uniform", "--out", target, cwd=tmp_path)
        assert run.returncode == 2
        assert run.stderr.count("\n") == 1
