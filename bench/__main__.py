"""python -m bench: measure everything in one run, and show it."""

from __future__ import annotations

import argparse
import json

from bench import events, kernels, page, peers, roofline, row_making
from bench.machine import load, machine
from bench.timing import Case, measure


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("--write", action="store_true", help="also refresh docs/benchmark.md")
    parser.add_argument("--repeats", type=int, default=15, help="how often each case is run")
    options = parser.parse_args()
    kernels.assert_pairs_agree()
    results = measure(all_cases(), options.repeats)
    environment = {**machine(), "load": f"{load():.1f}"}
    if options.json:
        print(json.dumps({"section": "machine", "repeats": options.repeats, **environment}))
        for result in results:
            print(json.dumps(result._asdict()))
    else:
        print(", ".join(f"{name} {value}" for name, value in environment.items()))
        print(f"{options.repeats} repeats")
        print(page.table(results))
        for name in peers.missing():
            print(f"{name} is not installed and was left out; pip install 'onebit[bench]'.")
    if options.write:
        page.write(page.page(results, environment, options.repeats))


def all_cases(
    *, most: int | None = None, blocks: int = 10, single: int = 1000, peer_rows: int = 20_000
) -> list[Case]:
    """Return everything that is measured."""
    return [
        *kernels.cases(most),
        *roofline.cases(most),
        *events.cases(single),
        *row_making.cases(blocks),
        *peers.cases(peer_rows, single),
    ]


if __name__ == "__main__":
    main()
