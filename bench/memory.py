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
from typing import Any

import numpy as np

from bench import page
from onebit.agent.agent import Agent
from onebit.kernel.block import noiseless_block
from onebit.kernel.rows import SparseRows

#: Name: labels, features, entries of a row, rows. Rows of text fill the ring; those of a table have
#: a tenth of the features, so that pairs and trees fill their tables.
CASES = {
    "text": (1000, 2**18, 200, 20_000),
    "table": (1000, 1000, 100, 3_000),
}
HEAD = ("rows", "learner", "labels", "features", "rounds", "us/round", "bound", "grown", "process")
_UNIT = 1 if sys.platform == "darwin" else 1024


def rows_touching_all(features: int, entries: int, rows: int) -> SparseRows:
    """Return rows of distinct random features; together they have every feature."""
    random, parts = np.random.default_rng(0), []
    per_pass = features // entries
    while len(parts) < rows:
        shuffled = random.permutation(features)[: per_pass * entries].reshape(per_pass, entries)
        parts += list(np.sort(shuffled, axis=1))
    indices = np.concatenate(parts[:rows]).astype(np.int32)
    starts = np.arange(0, len(indices) + 1, entries)
    return SparseRows(starts, indices, random.uniform(0.5, 1.5, len(indices)))


def play(name: str, learner: str, rows: int | None) -> dict[str, Any]:
    """Play a case in this process."""
    labels, features, entries, most = CASES[name]
    count = most if rows is None else rows
    agent = Agent(learner, range(labels), features=features, seed=0)
    made = rows_touching_all(features, entries, count)
    truths = np.random.default_rng(1).integers(0, labels, count).astype(np.int32)
    block = noiseless_block(made, truths)
    agent.play(block.head(0))
    before, start = _peak(), time.perf_counter()
    agent.play(block)
    seconds = time.perf_counter() - start
    return {
        "rows": name, "learner": learner, "labels": labels,
        "features": features, "rounds": count, "us": seconds / max(count, 1) * 1e6,
        "bound": agent.most_bytes / 1e6, "grown": _peak() - before, "process": _peak(),
        "seen": agent.diagnostics()["features_seen"],
    }  # fmt: skip


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT / 1e6


def cells(case: dict[str, Any]) -> tuple[str, ...]:
    """Return a row of the table."""
    whole = (f"{case[key]:,}" for key in ("labels", "features", "rounds"))
    sizes = (f"{case[key]:,.0f} MB" for key in ("bound", "grown", "process"))
    return case["rows"], case["learner"], *whole, f"{case['us']:,.0f}", *sizes


def main() -> None:
    """Play all cases and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.memory", description=__doc__)
    parser.add_argument("--learners", default="auto:size=light;auto;auto:size=full")
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
            subprocess.run([*command, "--rounds", "0"], check=True, stdout=subprocess.DEVNULL)
            more = [] if options.rounds is None else ["--rounds", str(options.rounds)]
            done = subprocess.run([*command, *more], check=True, stdout=subprocess.PIPE)
            found.append(cells(json.loads(done.stdout)))
    print(page.columns(found, left=2))


if __name__ == "__main__":
    main()
