"""Watching a worker: a case that kills it or takes too long is a finding too."""

from __future__ import annotations

import ast
import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from torture.shrinking import kind_of, shrink
from torture.target import case_of, find

#: Seconds that a case may take; the first ones compile.
PATIENCE, FIRST_PATIENCE = 300.0, 900.0
#: Seconds that a crash or a hang is shrunk; every attempt is a process of its own.
SHRINKING = 60.0


class Finding(NamedTuple):
    """What was found: the target, the number of the case, what happened, and the small case."""

    target: str
    number: int
    what: str
    case: str


class Watcher:
    """A worker of one target, started again after each case that ends it."""

    def __init__(self, name: str, first: int, step: int = 1) -> None:
        self.name, self.next, self.step = name, first, step
        self.tried = 0
        self.findings: list[Finding] = []
        self._start()

    def _start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "torture.worker",
            self.name,
            str(self.next),
            str(self.step),
        ]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )
        self._buffer, self._last, self._ran = b"", time.monotonic(), 0

    def fileno(self) -> int:
        """Return the descriptor to wait for."""
        assert self.process.stdout is not None
        return self.process.stdout.fileno()

    def read(self) -> None:
        """Read what the worker says; start another if it has died."""
        part = os.read(self.fileno(), 1 << 16)
        self._last = time.monotonic()
        *lines, self._buffer = (self._buffer + part).split(b"\n")
        for line in lines:
            self._understand(line.decode())
        if not part:
            self.process.wait()  # for its own exit code
            self.stop()
            self._record_end(f"the process ended with code {self.process.returncode}")

    def check_time(self) -> None:
        """Kill the worker if its case takes too long."""
        if time.monotonic() - self._last > (PATIENCE if self._ran > 5 else FIRST_PATIENCE):
            self.stop()
            self._record_end("it takes too long")

    def stop(self) -> None:
        """End the worker and the processes that it has started."""
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _understand(self, line: str) -> None:
        word, number, rest = [*line.split(" ", 2), ""][:3]
        if word == "case":
            self.next, self.tried, self._ran = int(number), self.tried + 1, self._ran + 1
        elif word == "found":
            self.findings.append(Finding(self.name, int(number), ast.literal_eval(rest), ""))
        elif word == "small":
            self.findings[-1] = self.findings[-1]._replace(case=rest)

    def _record_end(self, what: str) -> None:
        target = find(self.name)
        case = case_of(target, self.name, self.next)
        if self._ran:
            small = shrink(
                case, target.smaller, lambda each: _ends(self.name, each, what), SHRINKING
            )
            self.findings.append(Finding(self.name, self.next, what, repr(small)))
        self.next += self.step
        self._start()


def _ends(name: str, case: Any, what: str) -> bool:
    """Return whether a case ends a process in the same way."""
    command = [sys.executable, "-m", "torture.worker", name, "0", "1", "-"]
    try:
        run = subprocess.run(
            command, input=repr(case).encode(), capture_output=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return "too long" in what
    return run.returncode != 0 and "too long" not in what


def watch(watchers: list[Watcher], seconds: float) -> Iterator[Finding]:
    """Watch workers for some seconds; yield findings, each fault once."""
    end, seen = time.monotonic() + seconds, set()
    told = dict.fromkeys(watchers, 0)

    def news(at_end: bool) -> Iterator[Finding]:
        for watcher in watchers:
            for finding in watcher.findings[told[watcher] :]:
                if not finding.case and not at_end:
                    break  # it is being shrunk
                told[watcher] += 1
                kind = finding.target, kind_of(finding.what)
                if kind not in seen:
                    seen.add(kind)
                    yield finding

    try:
        while (now := time.monotonic()) < end:
            for watcher in watchers:
                watcher.check_time()
            for watcher in select.select(watchers, [], [], min(1.0, end - now))[0]:
                watcher.read()
            yield from news(at_end=False)
        yield from news(at_end=True)
    finally:
        for watcher in watchers:
            watcher.stop()
