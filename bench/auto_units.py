"""python -m bench.auto_units: tables whose numbers are in another unit.

Plays the tables of the folder ONEBIT_DATA (dev/*.csv.gz) with `auto`, as they are and with every
number times 10,000, and prints both shares of wrong labels; they should differ by less than .02.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import os
import tempfile
from pathlib import Path

from onebit.experiment.run.playing import play_trials
from onebit.experiment.run.trial import Trial

FACTOR = 10_000


def enlarged(path: Path, folder: str) -> Path:
    """Write a table whose numbers, but for labels in the last column, are times FACTOR."""
    with gzip.open(path, "rt", newline="") as file:
        rows = list(csv.reader(file))
    made = Path(folder) / path.name.removesuffix(".gz")
    with made.open("w", newline="") as out:
        csv.writer(out).writerows([*(times(f) for f in row[:-1]), row[-1]] for row in rows)
    return made


def times(field: str) -> str:
    """Return a number times FACTOR; other fields as they are."""
    try:
        return repr(float(field) * FACTOR)
    except ValueError:
        return field


def error(path: Path, learner: str, seeds: int) -> float:
    """Return the share of wrong labels over all seeds."""
    trials = [Trial.parse(str(path), learner, seed, None, ["shuffle"]) for seed in range(seeds)]
    return sum(play_trials([trial])[0].error for trial in trials) / seeds


def main() -> None:
    """Play the tables that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.auto_units", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="table")
    parser.add_argument("--learner", default="auto")
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    tables = Path(os.environ["ONEBIT_DATA"]) / "dev"
    print(f"{'table':16} {'as it is':>8} {'x 10,000':>8} {'change':>8}")
    for path in sorted(tables.glob("*.csv.gz")):
        name = path.name.removesuffix(".csv.gz")
        if not options.names or name in options.names:
            with tempfile.TemporaryDirectory() as folder:
                one = error(path, options.learner, options.seeds)
                two = error(enlarged(path, folder), options.learner, options.seeds)
            print(f"{name:16} {one:8.4f} {two:8.4f} {two - one:+8.4f}", flush=True)


if __name__ == "__main__":
    main()
