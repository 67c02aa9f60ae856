"""python -m bench.auto: the self-tuning learner on the development streams.

Prints the share of wrong labels of each stream, one pass over its shuffled rows: the mean over
three seeds up to 7,000 rows, else one. The folder ONEBIT_DATA holds the streams: dev/*.gz and
reuters21578_r52.tsv.gz. Constants of `auto` were chosen on these streams.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

#: Streams with their rows and the parameters of their files.
STREAMS = {
    "optdigits": (5620, "dev/optdigits.csv.gz"),
    "satimage": (6435, "dev/satimage.csv.gz"),
    "vowel": (990, "dev/vowel.csv.gz"),
    "shuttle": (58000, "dev/shuttle.csv.gz"),
    "soybean": (683, "dev/soybean.csv.gz"),
    "krkopt": (28056, "dev/krkopt.csv.gz"),
    "chess": (3196, "dev/chess.csv.gz"),
    "tic-tac-toe": (958, "dev/tic-tac-toe.csv.gz"),
    "fashion10k": (10000, "dev/fashion10k.svmlight.gz"),
    "reuters_r52": (9100, "reuters21578_r52.tsv.gz:format=text,label=3,text=4"),
    "trec6": (5952, "dev/trec6.txt.gz"),
    "banking77": (13083, "dev/banking77.txt.gz"),
    "magic": (19020, "dev/magic.csv.gz"),
    "spambase": (4597, "dev/spambase.csv.gz"),
    "contraceptive": (1473, "dev/contraceptive.csv.gz"),
    "marketing": (6876, "dev/marketing.csv.gz"),
    "german": (1000, "dev/german.csv.gz"),
    "led7": (500, "dev/led7digit.csv.gz"),
}
#: Streams with more rows are played with one seed.
SMALL = 7000


def play(path: str, learner: str, seed: int, transforms: list[str]) -> dict[str, Any]:
    """Play one stream in this process."""
    from onebit.agent.agent import Agent
    from onebit.streams.opening import open_stream

    stream = open_stream(path, seed, transforms)
    agent = Agent(
        learner, stream.labels, features=stream.features, columns=stream.columns, seed=seed
    )
    missed: list[bool] = []
    seconds = 0.0
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for block in stream.blocks():
        if not missed:
            agent.play(block.head(0))
        start = time.process_time()
        missed += agent.play(block).tolist()
        seconds += time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    n = len(missed)
    quarters = [statistics.fmean(missed[n * q // 8 : n * (q + 1) // 8]) for q in range(8)]
    return {
        "rounds": n,
        "error": statistics.fmean(missed),
        "eighths": quarters,
        "us": seconds / n * 1e6,
        "mb": (peak - before) / 1024,
    }


def table(results: list[dict[str, Any]]) -> str:
    """Return the table of errors."""
    lines = [f"{'stream':14} {'error':>7} {'sd':>6} {'us/round':>9} {'MB':>6}"]
    means = []
    for name in STREAMS:
        found = [r for r in results if r["stream"] == name]
        if found:
            errors = [r["error"] for r in found]
            means.append(statistics.fmean(errors))
            spread = statistics.stdev(errors) if len(errors) > 1 else float("nan")
            us, mb = (max(r[key] for r in found) for key in ("us", "mb"))
            lines.append(f"{name:14} {means[-1]:7.4f} {spread:6.4f} {us:9.1f} {mb:6.0f}")
    if means:
        lines.append(f"{'mean':14} {statistics.fmean(means):7.4f} ({len(means)} streams)")
    return "\n".join(lines)


def main() -> None:
    """Play all streams, each in a process of its own, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.auto", description=__doc__)
    parser.add_argument("--learner", default="auto")
    parser.add_argument("--only", default="", help="names of streams, with commas between")
    parser.add_argument("--with", dest="transforms", default="shuffle", help="transforms")
    parser.add_argument("--seeds", type=int, default=3, help="seeds of the small streams")
    parser.add_argument("--results", help="a file to add results to; those in it are not repeated")
    parser.add_argument("--one", nargs=2, metavar=("STREAM", "SEED"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    folder = os.environ.get("ONEBIT_DATA")
    if not folder:
        sys.exit("bench.auto: set ONEBIT_DATA to the folder with the development streams.")
    transforms = options.transforms.split("+")
    if options.one:
        path = f"{folder}/{STREAMS[options.one[0]][1]}"
        print(json.dumps(play(path, options.learner, int(options.one[1]), transforms)))
        return
    mine = {"learner": options.learner, "with": options.transforms}
    kept = Path(options.results) if options.results else None
    lines = kept.read_text().splitlines() if kept and kept.exists() else []
    results = [json.loads(line) for line in lines]
    chosen = options.only.split(",") if options.only else sorted(STREAMS, key=lambda s: STREAMS[s])
    for name in chosen:
        for seed in range(options.seeds if STREAMS[name][0] <= SMALL else 1):
            case = {"stream": name, "seed": seed, **mine}
            if any(case.items() <= each.items() for each in results):
                continue
            command = [sys.executable, "-m", "bench.auto", "--learner", options.learner,
                       "--with", options.transforms, "--one", name, str(seed)]  # fmt: skip
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            if done.returncode:
                print(f"{name}, seed {seed}: failed", file=sys.stderr)
                continue
            results.append({**case, **json.loads(done.stdout)})
            if kept:
                with kept.open("a") as file:
                    file.write(json.dumps(results[-1]) + "\n")
    print(table([each for each in results if mine.items() <= each.items()]))


if __name__ == "__main__":
    main()
