"""python -m bench.tables: tables read without options, beside options given by hand.

Plays the tables of the folder ONEBIT_DATA shuffled, once as they are understood without a word,
once with the options that somebody who has read the description of the data would give. Prints both
shares of wrong labels and their difference, which should be at most .01.
"""

from __future__ import annotations

import argparse
import gzip
import os
import statistics
from pathlib import Path

from onebit.experiment.run.playing import play_trials
from onebit.experiment.run.trial import Trial

#: Options by hand: no header and the label's column; which columns are codes, which are measured.
#: "all/number" stands for every column but the last.
BY_HAND = {
    "car.data.gz": "header=no,label=7",
    "nursery.data.gz": "header=no,label=9",
    "connect-4.data.gz": "header=no,label=43",
    "dev/chess.csv.gz": "all/category",
    "dev/contraceptive.csv.gz": "kinds=x2/category|x3/category|x7/category|x8/category",
    "dev/german.csv.gz": "kinds=x2/number|x5/number|x8/number|x11/number|x13/number|x16/number",
    "dev/krkopt.csv.gz": "all/category",
    "dev/led7digit.csv.gz": "all/number",
    "dev/magic.csv.gz": "all/number",
    "dev/marketing.csv.gz": "all/category",
    "dev/optdigits.csv.gz": "all/number",
    "dev/satimage.csv.gz": "all/number",
    "dev/shuttle.csv.gz": "all/number",
    "dev/soybean.csv.gz": "all/category",
    "dev/spambase.csv.gz": "all/number",
    "dev/tic-tac-toe.csv.gz": "all/category",
    "dev/vowel.csv.gz": "all/number",
}


def with_options(path: Path, options: str) -> str:
    """Return the spec of a table with options by hand."""
    if options.startswith("all/"):
        with gzip.open(path, "rt") as file:
            names = file.readline().strip().split(",")[:-1]
        options = "kinds=" + "|".join(options.replace("all", name) for name in names)
    return f"{path}:{options}"


def error(path: str, learner: str, seeds: int) -> float:
    """Return the share of wrong labels over all seeds."""
    trials = [Trial.parse(path, learner, seed, None, ["shuffle"]) for seed in range(seeds)]
    return statistics.fmean(play_trials([trial])[0].error for trial in trials)


def main() -> None:
    """Play the tables that were asked for, and print a line for each table and learner."""
    parser = argparse.ArgumentParser(prog="python -m bench.tables", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="table", help="parts of names")
    parser.add_argument("--learners", default="cova,auto", help="with commas between")
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    folder = Path(os.environ["ONEBIT_DATA"])
    print(f"{'table':26} {'learner':8} {'without':>8} {'by hand':>8} {'worse by':>9}")
    for file, by_hand in BY_HAND.items():
        if options.names and not any(name in file for name in options.names):
            continue
        for learner in options.learners.split(","):
            without = error(str(folder / file), learner, options.seeds)
            given = error(with_options(folder / file, by_hand), learner, options.seeds)
            print(f"{file:26} {learner:8} {without:8.4f} {given:8.4f} {without - given:+9.4f}",
                  flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
