"""What is shown: the table on the terminal, and the page of the documentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.clock import Measured

TITLES = {
    "learners": "Learners: the loop alone, on rows of SYNSEP that are there already",
    "by hand": "The same loops written by hand",
    "events": "One event at a time from Python (banditron)",
    "rows": "Making rows",
    "peers": "Peers on the same rows",
}

PAGE = """\
# Benchmark

Made by `python -m bench --write` (`make bench` prints the same figures): do not edit. Rows are
SYNSEP's (400 features, 50 of them not zero, 9 labels), in microseconds a round: the median of
{repeats} repeats in which all cases took turns, and the least. A ratio compares two leasts of
the same run: how many times longer than onebit's loop the loop by hand takes (1 is as fast, below
1 the loop by hand is faster), and how many times longer than onebit's banditron a peer takes.
On a machine that does other work too (a load near its number of cores or above), look at the least.

Peers: Vowpal Wabbit runs `--cbify 9 --cb_type mtr --epsilon 0.05`, which hears one bit as the
banditron does; over a file by its own driver, which parses too (onebit's figure is the loop alone),
and over examples parsed before, a Python call each. river's perceptron, one against the rest, is
told the label; it takes a Python call or two a row by design.

{machine}

{tables}
"""


def table(results: Sequence[Measured]) -> str:
    """Return all results as one table for the terminal."""
    results = sorted(results, key=lambda result: list(TITLES).index(result.section))
    rows = [("", "us/round", "least", "state", "ratio"), *map(_cells, results)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines, section = [], ""
    for row, result in zip(rows, [None, *results], strict=True):
        if result and result.section != section:
            section = result.section
            lines += ["", TITLES[section]]
        first, *others = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join([row[0].ljust(len(first)), *others]))
    return "\n".join(lines)


def page(results: Sequence[Measured], machine: Mapping[str, str], repeats: int) -> str:
    """Return the page of the documentation."""
    tables = []
    for section, title in TITLES.items():
        rows = [_cells(result) for result in results if result.section == section]
        if rows:
            head = ("case", "us/round", "least", "bytes of state", "ratio")
            lines = [head, ("---", "---:", "---:", "---:", "---:"), *rows]
            tables.append(f"## {title}\n\n" + "\n".join(f"| {' | '.join(r)} |" for r in lines))
    facts = ", ".join(f"{name} {value}" for name, value in machine.items())
    return PAGE.format(repeats=repeats, machine=f"Machine: {facts}.", tables="\n\n".join(tables))


def _cells(result: Measured) -> tuple[str, ...]:
    state = "" if result.state is None else f"{result.state:,}"
    ratio = "" if result.ratio is None else f"{result.ratio:.2f}"
    return result.name, f"{result.us:.3f}", f"{result.least:.3f}", state, ratio
