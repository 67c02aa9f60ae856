"""Ctrl-C at any moment: one sentence, exit code 130, no traceback, what was done so far."""

import json
import os
import random
import select
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

#: The command line, which says when it begins; the interpreter itself has started by then.
BEGIN = "import onebit\nprint('begun', flush=True)\nfrom onebit.cli.__main__ import main\nmain()"
#: Seconds that a loaded machine may take to end a process, beyond what the program takes.
SLACK = 4.0

pytestmark = pytest.mark.compiled


class Command:
    """A command that is to be interrupted."""

    def __init__(self, *args, cwd=None):
        self.process = subprocess.Popen(
            [sys.executable, "-c", BEGIN, *map(str, args)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
            # tests that run in the background inherit that Ctrl-C is ignored
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )  # fmt: skip
        assert self.process.stdout.readline() == b"begun\n"

    def wait_for(self, text, seconds=120):
        """Read stderr until a text has come."""
        seen, end = b"", time.monotonic() + seconds
        stream = self.process.stderr
        while text.encode() not in seen and time.monotonic() < end:
            if select.select([stream], [], [], 0.2)[0]:
                seen += os.read(stream.fileno(), 4096)
        assert text.encode() in seen, seen
        return seen.decode()

    def interrupt(self):
        """Press Ctrl-C; return exit code, stdout, stderr and the seconds it took to end."""
        before = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        out, error = self.process.communicate(timeout=60)
        assert b"Traceback" not in out + error, error.decode()
        return self.process.returncode, out.decode(), error.decode(), time.monotonic() - before


def test_ctrl_c_at_random_moments_shows_no_traceback():
    moments = random.Random(12)

    def press(delay):
        command = Command("compare", "synsep", "banditron", "perceptron", "--rounds", 10**9)
        time.sleep(delay)
        return delay, *command.interrupt()

    with ThreadPoolExecutor(2) as pool:
        for delay, code, out, error, seconds in pool.map(
            press, [0.01 + 1.6 * moments.random() for _ in range(20)]
        ):
            if code == -signal.SIGINT:  # in the first milliseconds there is nothing to say
                assert (out, error) == ("", "")
                continue
            assert code == 130, (delay, code, out, error)
            assert error.splitlines()[-1].startswith("onebit: interrupted"), (delay, error)
            assert seconds < 1 + SLACK, (delay, seconds)


def words(path, rows=3000):
    lines = [f"{'ab'[n % 2]}\tword{n} and word{n + 1}" for n in range(rows)]
    path.write_text("\n".join(lines) + "\n")


def test_a_slow_learner_says_so_and_stops_within_a_second_with_its_results(tmp_path):
    """Naive Bayes takes milliseconds a round for 2**18 hashed features."""
    words(tmp_path / "words.txt")
    command = Command(
        "play", "words.txt", "naive-bayes", "--with", "repeat:n=1000", "--json", cwd=tmp_path
    )
    said = command.wait_for("a round here")
    assert "onebit: naive-bayes takes about" in said
    assert " MB for what it learns; Ctrl-C" in said
    assert "3,000,000 rounds about" in said
    code, out, error, seconds = command.interrupt()
    assert code == 130
    assert error.splitlines()[-1].startswith("onebit: interrupted")
    result = json.loads(out)
    assert result["interrupted"]
    assert 0 < result["rounds"] < 3_000_000
    assert result["regret"] is None
    assert seconds < 1 + SLACK


def test_ctrl_c_while_processes_run_ends_them_too():
    command = Command("compare", "synsep", "banditron", "--rounds", 10**9, "--seeds", 2,
                      "--processes", "--workers", 2)  # fmt: skip
    deadline = time.monotonic() + 60
    while len(children(command.process.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    workers = children(command.process.pid)
    code, _, error, _ = command.interrupt()
    assert (code, error.count("\n")) == (130, 1)
    deadline = time.monotonic() + 10
    while any(os.path.exists(f"/proc/{pid}/fd/0") for pid in workers):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def children(process):
    with open(f"/proc/{process}/task/{process}/children") as file:
        return file.read().split()


def test_importing_the_command_line_leaves_ctrl_c_alone():
    """Only the command itself handles it."""
    code = (
        "import signal\nfrom onebit.cli import main\n"
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler"
    )
    subprocess.run(
        [sys.executable, "-c", code], check=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
