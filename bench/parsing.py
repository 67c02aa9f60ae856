"""How fast files are read: megabytes a second of each format, by one thread.

    python -m bench.parsing [--write] [WORDS...]

Prints for each file the speed of the first pass, which finds the labels and what columns are, and
that of turning its bytes into rows and labels; of Parquet, as if it were the same table in CSV.
WORDS choose files by their names.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.made_files import FILES, LABELS, Made, write
from bench.page import columns, markdown, write_parsing
from onebit.streams import file as file_stream
from onebit.streams.file import resolve_file, split_bad_rows
from onebit.streams.reading import side_by_side
from onebit.streams.reading.bad_lines import BadLines
from onebit.streams.reading.batch import Reading
from onebit.streams.reading.label_sets import Marks
from onebit.streams.reading.labels import Labels

PASSES = 5
HEAD = ("file", "MB", "first pass, MB/s", "reading, MB/s", "wanted", "rows/s")


class Speeds(NamedTuple):
    """Best seconds of a few passes over a file of so many bytes and rows."""

    made: Made
    size: int
    survey: float
    reading: float

    def cells(self) -> tuple[str, ...]:
        """Return a row of the table."""
        mega, wanted = self.size / 1e6, f"{self.made.least:.0f}" if self.made.least else ""
        return (
            self.made.name, f"{mega:.0f}", f"{mega / self.survey:.0f}",
            f"{mega / self.reading:.0f}", wanted, f"{self.made.rows / self.reading:,.0f}",
        )  # fmt: skip


def measure(words: Sequence[str] = ()) -> Iterator[Speeds]:
    """Yield the speeds for each file that has one of some words in its name, or for all."""
    side_by_side.cores = lambda: 1
    with tempfile.TemporaryDirectory() as directory:
        for made in FILES:
            if not words or any(word in made.name for word in words):
                path, size = write(made, Path(directory))
                times = [seconds(path) for _ in range(PASSES)]
                yield Speeds(made, size, *map(min, zip(*times, strict=True)))


def seconds(path: Path) -> tuple[float, float]:
    """Return the seconds of a first pass, and those from bytes to rows and labels."""
    more = f":labels={'|'.join(LABELS)},features={2**18}" if path.suffix == ".svm" else ""
    _, file = resolve_file(f"{path}{more}")
    getattr(file.format, "prepare", tuple)()
    file_stream._surveys.clear()
    start = time.perf_counter()
    layout = file._replace(tells=False).survey().layout
    between = time.perf_counter()
    labels, bad = Labels(LABELS), BadLines(str(path), skip=False)
    begin = time.perf_counter()
    for batch in file.format.batches(Reading(file.source, bad), layout):
        split_bad_rows(batch, labels, bad, Marks())
    return between - start, time.perf_counter() - begin


def main() -> None:
    """Print a line a file."""
    parser = argparse.ArgumentParser(prog="python -m bench.parsing")
    parser.add_argument("words", nargs="*", help="words of the files to read")
    parser.add_argument("--write", action="store_true", help="also refresh docs/benchmark.md")
    args = parser.parse_args()
    load = f"{os.getloadavg()[0]:.1f}"
    rows = [HEAD, *(each.cells() for each in measure(args.words))]
    print(columns(rows))
    if args.write:
        write_parsing(markdown(rows), PASSES, load)


if __name__ == "__main__":
    main()
