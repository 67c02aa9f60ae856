"""How time and memory grow: with rounds, labels, features, weak learners and workers.

    python -m bench.growth            a table
    python -m bench.growth --write    also refreshes its part of docs/benchmark.md, and the figure

Each point is a run of `onebit` in a process of its own; --most 1e6 leaves out larger ones.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench import page
from bench.files import timed
from bench.machine import load

ONEBIT = (sys.executable, "-m", "onebit.cli")
FIGURE = page.PATH.with_name("growth.svg")
#: Rows of the files with many labels or features.
ROWS = 20_000


class Point(NamedTuple):
    """What grows, how large it is, and what the run took."""

    what: str
    size: int
    seconds: float
    megabytes: float


def plans(directory: Path, most: float) -> Iterator[tuple[str, int, list[str]]]:
    """Yield what grows, how large it is, and the command."""
    for rounds in (10**n for n in range(4, 9)):
        yield "rounds", rounds, ["play", "synsep", "banditron", "--rounds", str(rounds)]
    for labels in (2, 10, 100, 1000, 10_000, 100_000):
        path = directory / f"{labels}.vw"
        count = max(ROWS, labels) if labels <= most else 0
        path.write_text("".join(f"{n % labels} | a{n % 7} b{n % 11}\n" for n in range(count)))
        yield "labels", labels, ["play", f"{path}:features=64", "banditron"]
    path = directory / "features.vw"
    names = (" ".join(f"f{n * m % 99991}" for m in range(1, 31)) for n in range(ROWS))
    path.write_text("".join(f"{n % 4} | {each}\n" for n, each in enumerate(names)))
    for features in (10**n for n in range(2, 9)):
        yield "features", features, ["play", f"{path}:features={features}", "banditron"]
    for n in (1, 10, 100, 1000):
        yield "weak learners", n, ["play", "connect4", f"banditboost:n={n}", "--rounds", "20000"]
    for workers in (1, 2):
        yield "workers", workers, [
            "compare", "synsep", "banditron", "--rounds", "5000000", "--seeds", "4",
            "--workers", str(workers),
        ]  # fmt: skip


def measure(most: float = 1e9) -> Iterator[Point]:
    """Yield the points, each run once before it is timed, so that its code is compiled."""
    with tempfile.TemporaryDirectory() as directory:
        for what, size, command in plans(Path(directory), most):
            if size <= most:
                if size <= 100:
                    timed([*ONEBIT, *command])
                seconds, memory = timed([*ONEBIT, *command])
                yield Point(what, size, seconds, memory / 1e6)


def rows(points: list[Point]) -> Iterator[tuple[str, ...]]:
    """Yield the head of the table and its rows."""
    yield "what grows", "to", "seconds", "private MB"
    for point in points:
        yield point.what, f"{point.size:,}", f"{point.seconds:.2f}", f"{point.megabytes:,.0f}"


def draw(points: list[Point], path: Path) -> None:
    """Draw a panel for each of what grows: seconds and memory, both axes logarithmic."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "growth"
    from matplotlib import pyplot
    from matplotlib.ticker import NullFormatter, StrMethodFormatter

    names = list(dict.fromkeys(point.what for point in points))
    shape = (3 * len(names), 5)  # one scale for all of a row: what is constant looks so
    figure, panels = pyplot.subplots(2, len(names), figsize=shape, squeeze=False, sharey="row")
    for column, name in enumerate(names):
        found = [point for point in points if point.what == name]
        sizes = [point.size for point in found]
        shown = ("seconds", [p.seconds for p in found]), ("MB", [p.megabytes for p in found])
        for panel, (unit, values) in zip(panels[:, column], shown, strict=True):
            panel.loglog(sizes, values, marker="o", markersize=4)
            panel.set_xlabel(name)
            panel.yaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
            panel.yaxis.set_minor_formatter(NullFormatter())
            if max(sizes) < 10:
                panel.set_xticks(sizes, [f"{size}" for size in sizes])
                panel.xaxis.set_minor_formatter(NullFormatter())
            panel.grid(alpha=0.3)
            if column == 0:
                panel.set_ylabel(unit)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def main() -> None:
    """Measure all, and print or write."""
    parser = argparse.ArgumentParser(prog="python -m bench.growth", description=__doc__)
    parser.add_argument("--write", action="store_true", help="also refresh docs/benchmark.md")
    parser.add_argument("--most", type=float, default=1e9, help="leave out larger sizes")
    options = parser.parse_args()
    start = time.perf_counter()
    points = []
    for point in measure(options.most):
        points.append(point)
        print(*list(rows([point]))[1], sep="  ", flush=True)
    print(f"{time.perf_counter() - start:.0f} s in all, load {load():.1f}, {os.cpu_count()} cores")
    if options.write:
        draw(points, FIGURE)
        page.write_growth(page.markdown(list(rows(points)), left=1), f"{load():.1f}")


if __name__ == "__main__":
    main()
