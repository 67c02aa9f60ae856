"""The process that runs the cases of one target, under limits; what it does goes to stdout.

A line `case N` before each case, `found N TEXT` and `small N CASE` for a finding. So whoever reads
knows which case killed the process, or hangs.
"""

from __future__ import annotations

import ast
import faulthandler
import itertools
import resource
import sys
import warnings

from torture.shrinking import kind_of, shrink
from torture.target import attempt, case_of, find

#: Bytes of address space, of which compiled code and libraries take two thirds of a gigabyte.
MEMORY = 4 << 30
#: Seconds that a finding is shrunk.
SHRINKING = 20.0


def main() -> None:
    """Run the cases from a number on, in steps, or one case that is given as text."""
    name, first, step = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")
    target = find(name)
    if len(sys.argv) > 4:
        print(f"found 0 {attempt(target, ast.literal_eval(sys.stdin.read()))!r}", flush=True)
        return
    for number in itertools.count(first, step):
        print(f"case {number}", flush=True)
        case = case_of(target, name, number)
        finding = attempt(target, case)
        if finding:
            print(f"found {number} {finding!r}", flush=True)
            kind = kind_of(finding)
            small = shrink(
                case,
                target.smaller,
                lambda each, kind=kind: kind_of(attempt(target, each)) == kind,
                SHRINKING,
            )
            print(f"small {number} {small!r}", flush=True)


if __name__ == "__main__":
    main()
