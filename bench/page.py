"""The results as a table on the terminal and as the page docs/benchmark.md.

The page has parts, each written by a command of its own: `python -m bench` the first, and
`python -m bench.scale`, `python -m bench.files`, `python -m bench.parsing` and `python -m
bench.growth` those under the headings SCALE, FILES, PARSING and GROWTH. Each writes its part and
keeps the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.timing import Measurement

PATH = Path(__file__).parents[1] / "docs" / "benchmark.md"
TITLES = {
    "learners": "Learners: the loop alone, on rows that are there already",
    "by hand": "Loops written by hand",
    "roofline": "Near the machine's limit: the same rows and weights, only added up",
    "events": "One event at a time from Python (banditron if no other is named)",
    "rows": "Making rows",
    "peers": "Peers on the rows of SYNSEP",
}
HEAD = ("case", "rows", "us/round", "least", "bytes of state", "ratio")
SCALE = "## BanditBoost at full scale"
FILES = "## Files, from the first byte to the count of mistakes"
PARSING = "## Reading files, one thread"
GROWTH = "## Growth"

PAGE = """\
# Benchmark

Made by `python -m bench --write` (`make bench` prints the same figures): do not edit. Figures are
microseconds per round: the median of {repeats} repeats, in which all cases are interleaved, and the
minimum ("least"). Every learner of `onebit learners` is measured with its default parameters, on
rows that it reads. A ratio compares two minima of the same run: the time of a loop written by hand
over that of onebit's loop (below 1 the loop by hand is faster), and the time of a peer over that of
onebit's banditron. A loop by hand makes the same mistakes in the same rounds; onebit's loop is
listed with it where it is not among the learners above. On a busy machine (a load near its number
of cores or above), compare the minima. A roofline reads each row and the weights of its features
and only adds them up, then reads and writes the weights that the learner changes in that round: its
ratio is the share of that speed which the whole loop has. Both go over the rows a second time.

Peers: Vowpal Wabbit runs `--cbify 9 --cb_type mtr --epsilon 0.05`, which learns from one bit as the
banditron does; over a file by its own driver, which also parses (onebit's figure is the loop
alone), and over examples parsed before, with one Python call each. river's one-vs-rest perceptron
learns from the true label, with one or two Python calls per row.

{machine}

{tables}
"""

SCALE_PART = """\

Made by `python -m bench.scale --write`: each line is one `onebit play` in a process of its own.
Seconds are from the first row to the last update, making the rows included; CPU seconds are those
of the whole process; us/round is the learner's time alone; the peak is of resident memory.
Load {load}.

{table}
"""

FILES_PART = """\

Made by `python -m bench.files --write`: the same rows of `reuters4shape` in several formats, each
played by the banditron in a process of its own, start included, with the file in the system's
cache; and by Vowpal Wabbit with `--cbify --epsilon 0.05`. Seconds are the median, the least and the
most of runs that take turns; "VW / ours" compares medians: with its text for text, and with its
cache file for packed rows. Private MB is the most memory that the process held alone (RssAnon,
looked at every 10 ms); pages of the file, which the system can drop, do not count.

{table}

{machine}
"""

PARSING_PART = """\

Made by `python -m bench.parsing --write`: files of made-up rows, the best of {passes} passes each,
by one thread, with the file in the system's cache. The first pass finds the labels and what the
columns of a table are: of the first 2,000 fields of each column and of its first 4,096 values
in Python, which takes most of it in files as small as these. Reading is from bytes to rows and the
numbers of labels. Parquet is measured as if it were the same table in CSV. Load {load}.

{table}
"""

GROWTH_PART = """\

Made by `python -m bench.growth --write`: each line is one run of `onebit` in a process of its own,
start included: the banditron on SYNSEP with more rounds; on 20,000 rows of VW text with more labels
(as many rows as labels, if these are more) or features; banditboost with more weak learners; and
four runs of five million rounds by one worker or two. Private memory counts no pages of files.
Load {load}.

![Seconds and memory of runs against what grows, both logarithmic](growth.svg)

{table}
"""


def table(results: Sequence[Measurement]) -> str:
    """Return all results as one table for the terminal, a title before each section."""
    results = sorted(results, key=lambda result: list(TITLES).index(result.section))
    lines = columns([HEAD, *map(_cells, results)], left=2).splitlines()
    shown, section = lines[:1], ""
    for line, result in zip(lines[1:], results, strict=True):
        if result.section != section:
            section = result.section
            shown += ["", TITLES[section]]
        shown.append(line)
    return "\n".join(shown)


def page(results: Sequence[Measurement], machine: Mapping[str, str], repeats: int) -> str:
    """Return the first part of the page of the documentation."""
    tables = []
    for section, title in TITLES.items():
        cells = [_cells(result) for result in results if result.section == section]
        if cells:
            tables.append(f"## {title}\n\n{markdown([HEAD, *cells], left=2)}")
    environment = ", ".join(f"{name} {value}" for name, value in machine.items())
    return PAGE.format(
        repeats=repeats, machine=f"Machine: {environment}.", tables="\n\n".join(tables)
    )


def write(first: str) -> None:
    """Write the first part of the page."""
    _write_part("", first)


def write_scale(table: str, load: str) -> None:
    """Write the part of `python -m bench.scale`."""
    _write_part(SCALE, SCALE_PART.format(load=load, table=table))


def write_files(table: str, machine: str) -> None:
    """Write the part of `python -m bench.files`."""
    _write_part(FILES, FILES_PART.format(machine=machine, table=table))


def write_parsing(table: str, passes: int, load: str) -> None:
    """Write the part of `python -m bench.parsing`."""
    _write_part(PARSING, PARSING_PART.format(table=table, passes=passes, load=load))


def write_growth(table: str, load: str) -> None:
    """Write the part of `python -m bench.growth`."""
    _write_part(GROWTH, GROWTH_PART.format(load=load, table=table))


def columns(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Return rows of cells in columns; the first `left` of them are words, the others numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    aligned = [
        [
            cell.ljust(width) if n < left else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        for row in rows
    ]
    return "\n".join("  ".join(row).rstrip() for row in aligned)


def markdown(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Return the same as a table of markdown."""
    rule = ["---" if n < left else "---:" for n in range(len(rows[0]))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:]))


def _write_part(heading: str, text: str) -> None:
    """Write the part under a heading, the first one if it is empty, and keep the others."""
    parts = {"": ""}
    at = ""
    for line in PATH.read_text().splitlines() if PATH.exists() else ():
        at = line if line in (SCALE, FILES, PARSING, GROWTH) else at
        parts[at] = parts.get(at, "") + f"{line}\n"
    parts[heading] = f"{heading}\n{text}" if heading else text
    headings = ("", FILES, PARSING, SCALE, GROWTH)
    ordered = (parts[each].strip() for each in headings if each in parts)
    PATH.write_text("\n\n".join(ordered) + "\n")


def _cells(result: Measurement) -> tuple[str, ...]:
    state = "" if result.state is None else f"{result.state:,}"
    ratio = "" if result.ratio is None else f"{result.ratio:.2f}"
    return result.name, result.on, f"{result.us:.3f}", f"{result.least:.3f}", state, ratio
