"""The command: `python -m torture [TARGET...] --minutes 10`."""

from __future__ import annotations

import argparse
import os
import sys

from torture.target import case_of, find, names
from torture.watcher import Watcher, watch


def main() -> int:
    """Run the targets side by side; return 1 if something was found."""
    parser = argparse.ArgumentParser(prog="python -m torture", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(names())}")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--first", type=int, default=None, help="number of the first case")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--case", type=int, help="run just this case of one target, and show it")
    given = parser.parse_args()
    chosen = given.targets or names()
    if given.case is not None:
        target = find(chosen[0])
        case = case_of(target, chosen[0], given.case)
        print(repr(case))
        target.run(case)
        return 0
    first = int.from_bytes(os.urandom(4), "big") if given.first is None else given.first
    each = max(1, given.workers // len(chosen))
    found = 0
    tried = dict.fromkeys(chosen, 0)
    turns = [chosen] if given.workers >= len(chosen) else [
        chosen[at : at + given.workers] for at in range(0, len(chosen), given.workers)
    ]  # fmt: skip
    for turn in turns:
        watchers = [Watcher(name, first + n, each) for name in turn for n in range(each)]
        for finding in watch(watchers, 60 * given.minutes / len(turns)):
            found += 1
            print(f"FOUND {finding.target} {finding.number}: {finding.what}", flush=True)
            print(f"  case: {finding.case[:2000]}", flush=True)
            print(
                f"  again: python -m torture {finding.target} --case {finding.number}", flush=True
            )
        for watcher in watchers:
            tried[watcher.name] += watcher.tried
    print(", ".join(f"{name}: {count:,} cases" for name, count in tried.items()), flush=True)
    print(f"{found} findings; the first case was number {first}", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
