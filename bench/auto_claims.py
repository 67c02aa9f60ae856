"""python -m bench.auto_claims: what `auto` promises beyond the development streams.

Prints, for each claim, the share of wrong labels in per cent, its deviation over seeds, and the
bar. The folder ONEBIT_DATA holds rcv1_4topics.svmlight.gz; the other data are built in. With names,
only these claims. None of these streams was used to choose anything.
"""

from __future__ import annotations

import argparse
import os
import statistics
from typing import Any, NamedTuple

from onebit.experiment.run.playing import play_trials
from onebit.experiment.run.trial import Trial

#: Rounds of NURSERY, and the one at which its labels change.
ROWS, HALF = 12_960, 6_481


class Claim(NamedTuple):
    """A stream with its transforms, how often it is played, and the most per cent of mistakes.

    `first` leaves out the mistakes of the rounds before it.
    """

    stream: str
    bar: float
    seeds: int = 10
    transforms: tuple[str, ...] = ()
    rounds: int | None = None
    first: int = 0


CLAIMS = {
    "car": Claim("car", 12.5),
    "dna": Claim("dna", 10.0),
    "nursery": Claim("nursery", 3.6),
    "connect4": Claim("connect4", 21.0),
    "rcv1": Claim("rcv1_4topics.svmlight.gz", 6.8, transforms=("shuffle",)),
    "synsep": Claim("synsep", 0.12, rounds=100_000),
    "synnonsep": Claim("synnonsep", 5.6, rounds=100_000),
    "drift": Claim("nursery", 4.0, transforms=(f"drift:at={HALF}",), first=ROWS - ROWS // 8),
    "sorted": Claim("nursery", 3.6, 3, ("sort",)),
    "flipped": Claim("nursery", 10.0, 3, ("flip:q=0.1",)),
    "lost": Claim("nursery", 10.0, 3, ("drop:q=0.5",)),
    "late": Claim("nursery", 20.0, 3, ("delay:n=1000",)),
}


def played(claim: Claim, learner: str, seed: int, rounds: int | None) -> Any:
    """Return the result of one trial."""
    folder = os.environ.get("ONEBIT_DATA", ".")
    path = f"{folder}/{claim.stream}" if "." in claim.stream else claim.stream
    trial = Trial.parse(path, learner, seed, rounds, claim.transforms)
    return play_trials([trial])[0]


def errors(claim: Claim, learner: str, seeds: int) -> tuple[list[float], float]:
    """Return the per cent of mistakes for each seed, and the microseconds of a round."""
    found, slowest = [], 0.0
    for seed in range(seeds):
        whole = played(claim, learner, seed, claim.rounds)
        before = played(claim, learner, seed, claim.first).mistakes if claim.first else 0
        found.append(100.0 * (whole.mistakes - before) / (whole.rounds - claim.first))
        slowest = max(slowest, whole.us_per_round)
    return found, slowest


def main() -> None:
    """Play the claims that were asked for, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m bench.auto_claims", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="claim", choices=[*CLAIMS, []])
    parser.add_argument("--learner", default="auto")
    parser.add_argument("--seeds", type=int, help="instead of those of the claim")
    options = parser.parse_args()
    print(f"{'claim':10} {'wrong %':>8} {'sd':>6} {'seeds':>5} {'bar %':>6} {'us/round':>9}")
    for name in options.names or CLAIMS:
        claim = CLAIMS[name]
        found, us = errors(claim, options.learner, options.seeds or claim.seeds)
        spread = statistics.stdev(found) if len(found) > 1 else float("nan")
        mean = statistics.fmean(found)
        print(
            f"{name:10} {mean:8.3f} {spread:6.3f} {len(found):5} {claim.bar:6} {us:9.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
