"""Command lines: exit code 0, or one sentence with code 2 (1 where the machine failed)."""

from __future__ import annotations

import itertools
import math
import os
import re
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numba  # noqa: F401  loaded before the processes are forked
import numpy as np  # noqa: F401

import onebit.agent.agent
import onebit.experiment.run.runner  # noqa: F401
from onebit.cli.commands import cli
from torture.mutations import NUMBERS, TOKENS
from torture.shrinking import without_parts
from torture.targets.readers import TEXTS

#: Seconds that a command may take, on the clock and of computing, and bytes of address space.
SECONDS, COMPUTING, MEMORY = 250, 90, 3 << 30
#: Rounds that may take longer; such a command gets a Ctrl-C after so many seconds, and must stop.
MANY_ROUNDS, PLAYED_SECONDS = 10**6, 30
#: Commands that work on a stream come often; those of the service are tortured over HTTP.
OFTEN = ("play", "compare", "sweep", "learn", "pack", "inspect")
COMMANDS = {name: each for name, each in cli.commands.items() if name not in ("serve", "log")}
STREAMS = ("car", "synsep", "vote", "few.csv", "few.svm", "few.vw", "few.jsonl", "few.txt",
           "few.tsv",
           "-", "none.csv", "vote:width=9", "few.csv:bad=skip", ".", "/dev/null", "")  # fmt: skip
LEARNERS = ("banditron", "perceptron", "uniform", "banditron:gamma=0.3", "exp3", "majority", "none",
            "banditron:gamma=2", "banditron:explorer=uniform", "soa", "")  # fmt: skip
_OPTIONS = {each.opts[-1]: getattr(each, "is_flag", False) for command in COMMANDS.values()
            for each in command.params if each.opts[0].startswith("-")}  # fmt: skip
#: What would take long, or reach out of this machine, is left out.
OPTIONS = sorted(
    n for n, flag in _OPTIONS.items() if not flag and n not in ("--dask", "--reuters4")
)
FLAGS = sorted(
    {"--help", "--version", *(n for n, flag in _OPTIONS.items() if flag)} - {"--download"}
)
WORDS = ("1", "2", "100", "gamma=0.1,0.2", "gamma=2^-3..2^-1", "take:n=50", "repeat:n=2", "pairs",
         "flip:q=0.1", "p,q", "1,2", "csv", "jsonl", "out", "few.csv", "y", "advise:class=stumps",
         "banditron:labels=9", "labels=9", "rounds=1e6", "delay:n=5", "project:n=4", "\u00b2",
         "1/2", "a|b", "x,y")  # fmt: skip
ENDINGS = {
    "csv": "csv",
    "svmlight": "svm",
    "vw": "vw",
    "jsonl": "jsonl",
    "text": "txt",
    "tsv": "tsv",
}


class Target:
    """A case is the words of a command line."""

    def __init__(self) -> None:
        self._folder = tempfile.mkdtemp(prefix="torture-")
        os.chdir(self._folder)

    def make(self, random: Random) -> Any:
        """Return words that make sense, most of them."""
        name = random.choice(OFTEN if random.random() < 0.7 else sorted(COMMANDS))
        words = [name]
        if name in ("play", "compare", "sweep"):
            words += [random.choice(STREAMS), random.choice(LEARNERS)]
            words += ["--rounds", random.choice(("1", "50", "300"))]
        elif name in ("learn", "pack", "inspect"):
            words += [random.choice(STREAMS)] + [random.choice(LEARNERS)] * (name == "learn")
        elif name == "reproduce":
            words += ["--list"]
        elif name == "bound":
            words += [random.choice(("banditron", "perceptron", "none")), "labels=9"]
        elif random.random() < 0.5:
            words.append(random.choice(("banditron", "car", "csv", "epsilon", "none")))
        if name == "check":
            return ["check", "none"]
        if name == "sweep" and random.random() < 0.8:
            words += ["--over", "gamma=0.1,0.3"]
        for _ in range(random.choice((0, 1, 1, 2, 3))):
            if random.random() < 0.3:
                words.append(random.choice(FLAGS))
            else:
                words += [random.choice(OPTIONS), self._word(random)]
        return words

    def _word(self, random: Random) -> str:
        kind = random.random()
        if kind < 0.6:
            return random.choice(WORDS)
        if kind < 0.8:
            return random.choice(TOKENS[:40]).decode(errors="surrogateescape").replace("\0", "0")
        try:
            return str(random.choice(NUMBERS))
        except ValueError:  # too many digits for str()
            return "9" * 5000

    def run(self, case: Any) -> None:
        """Run the command in a forked process and look at its exit code and what it printed."""
        for kind, ending in ENDINGS.items():  # again each time: a command may write over them
            Path(f"few.{ending}").write_bytes(TEXTS[kind])
        started = time.monotonic()
        child = os.fork()
        if not child:
            _become(case)
        status, ends = None, started + PLAYED_SECONDS if _plays_long(case) else math.inf
        while status is None and time.monotonic() - started < SECONDS:
            done, found = os.waitpid(child, os.WNOHANG)
            status = found if done else None
            if status is None and time.monotonic() > ends:
                os.kill(child, signal.SIGINT)
                ends = math.inf
            time.sleep(0.01)
        if status is None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise AssertionError(f"it takes more than {SECONDS} seconds")
        out, error = (Path(name).read_text(errors="surrogateescape") for name in (".out", ".error"))
        code = os.waitstatus_to_exitcode(status)
        if code == 130 and _plays_long(case):
            code = 0
        assert code in (0, 1, 2), f"exit code {code}: {error[-500:]}"
        assert "Traceback" not in error, error[-800:]
        last = error.splitlines()[-1] if error.strip() else ""
        assert code == 0 or last.endswith((".", "?")), f"code {code}: {last!r}"
        strange = re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", out + error)
        assert not strange, f"a control character was printed: {strange and strange[0]!r}"

    def smaller(self, case: Any) -> Iterator[Any]:
        """Yield the command without some words, and with shorter words."""
        yield from without_parts(case)
        for n, word in enumerate(case):
            for less in without_parts(word):
                yield [*case[:n], less, *case[n + 1 :]]


def _plays_long(words: list[str]) -> bool:
    """Return whether a command asks for very many rounds."""
    numbers = [word for option, word in itertools.pairwise(words) if option == "--rounds"]
    try:
        return float(numbers[-1]) >= MANY_ROUNDS if numbers else False
    except ValueError:
        return False


def _become(words: list[str]) -> None:
    """Run a command in this process, which ends with it."""
    from onebit.cli.main import main

    code = 99
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (COMPUTING, COMPUTING))
        for number, name in ((0, os.devnull), (1, ".out"), (2, ".error")):
            flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            os.dup2(os.open(name, flags), number)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        sys.argv = ["onebit", *words]
        signal.signal(signal.SIGINT, signal.default_int_handler)
        main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 98
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
