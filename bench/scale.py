"""BanditBoost at the papers' full scale: seconds, memory, and how the cost grows with N.

    python -m bench.scale            a table
    python -m bench.scale --write    also refreshes its part of docs/benchmark.md

Each run is `onebit play` in a process of its own, so that its peak memory is measured alone.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import NamedTuple

from bench import page
from bench.machine import load

COMMAND = (sys.executable, "-c", "from onebit.cli.main import main; main()", "play")
FULL = "reuters4shape"
RUNS = (
    ("connect4", "banditboost:n=100"),
    *((FULL, f"banditboost:n={n}") for n in (10, 25, 50, 100)),
    (FULL, "banditboost:n=100,dtype=float32"),
)


class ScaleRun(NamedTuple):
    """The time and memory of a run.

    `seconds` are from the first row to the last update, making rows included; `cpu` are
    those of the whole process with its start; `us` per round are the learner's alone.
    """

    stream: str
    learner: str
    rounds: int
    seconds: float
    cpu: float
    us: float
    megabytes: float
    mistakes: int


def run(stream: str, learner: str, *more: str) -> ScaleRun:
    """Play in a process of its own, after compiling in another one."""
    command = [*COMMAND, stream, learner, "--json"]
    subprocess.run([*command, "--rounds", "1"], check=True, stdout=subprocess.DEVNULL)
    process = subprocess.Popen([*command, *more], stdout=subprocess.PIPE)
    assert process.stdout is not None
    with process.stdout as out:
        line = out.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"{learner} on {stream} ended with {process.returncode}"
    result = json.loads(line)
    unit = 1 if sys.platform == "darwin" else 1024
    return ScaleRun(
        stream,
        learner,
        result["rounds"],
        result["seconds"],
        used.ru_utime + used.ru_stime,
        result["us_per_round"],
        used.ru_maxrss * unit / 1e6,
        result["mistakes"],
    )


def rows(results: list[ScaleRun]) -> Iterator[tuple[str, ...]]:
    """Yield the head of the table and its rows."""
    yield "stream", "learner", "rounds", "seconds", "CPU seconds", "us/round", "peak MB", "mistakes"
    for ran in results:
        yield (
            ran.stream,
            ran.learner,
            f"{ran.rounds:,}",
            f"{ran.seconds:.2f}",
            f"{ran.cpu:.2f}",
            f"{ran.us:.2f}",
            f"{ran.megabytes:,.0f}",
            f"{ran.mistakes:,}",
        )


def main() -> None:
    """Run all, and print or write."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("--write", action="store_true", help="also refresh docs/benchmark.md")
    options = parser.parse_args()
    results = []
    for stream, learner in RUNS:
        results.append(run(stream, learner))
        if options.json:
            print(json.dumps(results[-1]._asdict()), flush=True)
    busy = f"{load():.1f}"
    if not options.json:
        print(page.columns(list(rows(results)), left=2))
        print(f"load {busy}")
    if options.write:
        page.write_scale(page.markdown(list(rows(results)), left=2), busy)


if __name__ == "__main__":
    main()
