"""python -m bench.turns CHECKOUT: the loops of this checkout and of another one, taking turns.

The other checkout has a virtual environment of its own in `.venv`. Both play the same data set at
almost the same time, so that whatever slows the machine slows both. A ratio is our least time over
theirs, summed over the parts of a run: below 1 we are faster. Processes are started several times,
because the speed of a loop depends on where its arrays and its code happen to lie.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parents[1]
#: What runs in each checkout: names of cases first, then the seconds of the parts of each run.
WORKER = """
import json, sys
from bench.kernels import cases
found = {case.name: case for case in cases() if case.section == "learners"}
print(json.dumps({name: case.rounds for name, case in found.items()}), flush=True)
for line in sys.stdin:
    name, repeats = json.loads(line)
    print(json.dumps([found[name].run() for _ in range(repeats)]), flush=True)
"""
#: Runs of one process before it is the other's turn.
REPEATS = 3


class Worker:
    """A process that runs the cases of one checkout when asked to."""

    def __init__(self, checkout: Path) -> None:
        python = str(checkout / ".venv/bin/python")
        self._process = subprocess.Popen(
            [python, "-c", WORKER], cwd=checkout, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def rounds(self) -> dict[str, int]:
        """Return the names of the cases, and how many rounds each has."""
        return json.loads(self._answer())  # type: ignore[no-any-return]

    def seconds(self, name: str, repeats: int = REPEATS) -> np.ndarray:
        """Return the least seconds of each part of a case over some runs."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([name, repeats]) + "\n")
        self._process.stdin.flush()
        return np.min(json.loads(self._answer()), axis=0)  # type: ignore[no-any-return]

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "a worker ended"
        return line


def main() -> None:
    """Measure, and print a line for each case as soon as it is known."""
    parser = argparse.ArgumentParser(prog="python -m bench.turns", description=__doc__)
    parser.add_argument("checkout", type=Path, help="another checkout of this repository")
    parser.add_argument("--processes", type=int, default=3, help="how often both are started")
    parser.add_argument("--turns", type=int, default=5, help="turns of each process")
    parser.add_argument("--only", default="", help="cases whose names contain this")
    given = parser.parse_args()
    least: dict[str, list[np.ndarray]] = {}
    for _ in range(given.processes):
        workers = Worker(HERE), Worker(given.checkout.resolve())
        rounds, theirs = (worker.rounds() for worker in workers)
        names = [name for name in rounds if name in theirs and given.only in name]
        for name, seconds in measure(names, workers, given.turns):
            before = least.get(name, seconds)
            least[name] = [np.minimum(*pair) for pair in zip(before, seconds, strict=True)]
        for worker in workers:
            worker.close()
    for name, (ours, other) in least.items():
        each = [part.sum() / rounds[name] * 1e6 for part in (ours, other)]
        print(f"{each[0] / each[1]:6.3f}  {each[0]:9.4f} {each[1]:9.4f} us  {name}", flush=True)


def measure(
    names: list[str], workers: tuple[Worker, Worker], turns: int
) -> Iterator[tuple[str, list[np.ndarray]]]:
    """Yield the least seconds of the parts of each case, ours and theirs, after a first run."""
    for name in names:
        for worker in workers:
            worker.seconds(name, 1)
        taken = [[worker.seconds(name) for worker in workers] for _ in range(turns)]
        print(name, end="\r", file=sys.stderr)
        yield name, [np.min(each, axis=0) for each in zip(*taken, strict=True)]


if __name__ == "__main__":
    main()
