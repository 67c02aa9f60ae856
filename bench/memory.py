"""python -m bench.memory: the memory of `auto` with many labels and features, all of them touched.

Each case is a process of its own, started twice: the first one compiles. `bound` are the arrays of
the learner and its explorer, whatever was touched; `grown` is what the process grew by while it
played, `process` its peak with Python and the compiled code.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from bench import page
from onebit.agent.agent import Agent
from onebit.kernel.block import Block, noiseless_block
from onebit.kernel.rows import SparseRows

#: Name: labels, features, entries of a row, rows. Rows of text fill the ring; those of a table have
#: a tenth of the features, so that pairs and trees fill their tables.
CASES = {
    "text": (1000, 2**18, 200, 20_000),
    "table": (1000, 1000, 100, 3_000),
}
HEAD = ("rows", "learner", "labels", "features", "seen", "rounds", "us/round", "bound", "grown",
        "process")  # fmt: skip
#: Rows that are made at a time.
BLOCK = 500
_UNIT = 1 if sys.platform == "darwin" else 1024


def blocks(labels: int, features: int, entries: int, rows: int) -> Iterator[Block]:
    """Yield blocks of rows of distinct random features; together they have every feature."""
    random = np.random.default_rng(0)
    order, at = random.permutation(features).astype(np.int32), 0
    for first in range(0, rows, BLOCK):
        count, parts = min(BLOCK, rows - first), []
        for _ in range(count):
            if at + entries > features:
                random.shuffle(order)
                at = 0
            parts.append(np.sort(order[at : at + entries]))
            at += entries
        starts = np.arange(0, count * entries + 1, entries)
        values = random.uniform(0.5, 1.5, count * entries)
        truths = random.integers(0, labels, count).astype(np.int32)
        yield noiseless_block(SparseRows(starts, np.concatenate(parts), values), truths)


def play(name: str, learner: str, rows: int | None) -> dict[str, Any]:
    """Play a case in this process."""
    labels, features, entries, most = CASES[name]
    count = most if rows is None else rows
    agent = Agent(learner, range(labels), features=features, seed=0)
    agent.play(next(blocks(labels, features, entries, 1)).head(0))
    before, seconds = _peak(), 0.0
    for block in blocks(labels, features, entries, count):
        start = time.perf_counter()
        agent.play(block)
        seconds += time.perf_counter() - start
    return {
        "rows": name, "learner": learner, "labels": labels,
        "features": features, "rounds": count, "us": seconds / count * 1e6,
        "bound": agent.most_bytes / 1e6, "grown": _peak() - before, "process": _peak(),
        "seen": agent.diagnostics()["features_seen"],
    }  # fmt: skip


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT / 1e6


def cells(case: dict[str, Any]) -> tuple[str, ...]:
    """Return a row of the table."""
    whole = (f"{case[key]:,}" for key in ("labels", "features", "seen", "rounds"))
    sizes = (f"{case[key]:,.0f} MB" for key in ("bound", "grown", "process"))
    return case["rows"], case["learner"], *whole, f"{case['us']:,.0f}", *sizes


def main() -> None:
    """Play all cases and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.memory", description=__doc__)
    parser.add_argument("--learners", default="auto", help="with ; between them")
    parser.add_argument("--rounds", type=int, help="rounds of each case")
    parser.add_argument("--one", nargs=2, metavar=("CASE", "LEARNER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(play(*options.one, options.rounds)))
        return
    found = [HEAD]
    for name in CASES:
        for learner in options.learners.split(";"):
            command = [sys.executable, "-m", "bench.memory", "--one", name, learner]
            subprocess.run([*command, "--rounds", "1"], check=True, stdout=subprocess.DEVNULL)
            more = [] if options.rounds is None else ["--rounds", str(options.rounds)]
            done = subprocess.run([*command, *more], check=True, stdout=subprocess.PIPE)
            found.append(cells(json.loads(done.stdout)))
    print(page.columns(found, left=2))


if __name__ == "__main__":
    main()
