"""The command line without a process of its own, which would take a second to start."""

import signal
import sys
import warnings
from typing import NamedTuple

import pytest

from onebit.cli.main import _run

#: Seconds after which a command is ended: it waits or works for ever.
LONGEST = 120


class Run(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def inside(monkeypatch, capsys, tmp_path):
    """A function that runs a command in an empty folder, from its arguments to the exit code."""

    def too_long(number, frame):
        raise TimeoutError(f"no answer within {LONGEST} seconds")

    def run(*words):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["onebit", *words])
        monkeypatch.setattr(warnings, "formatwarning", warnings.formatwarning)
        before = signal.signal(signal.SIGALRM, too_long)
        signal.alarm(LONGEST)
        try:
            code = _run()
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)
        out, err = capsys.readouterr()
        lines = err.splitlines(keepends=True)
        return Run(code, out, "".join(line for line in lines if not is_wait(line)))

    return run


def is_wait(line):
    """Whether a line says that code is compiled, which depends on how busy the machine is."""
    if line == "onebit: compiling for the first use, once; please wait\n":
        return True
    return line.startswith("compiling ") and line.endswith(" (once)\n")
