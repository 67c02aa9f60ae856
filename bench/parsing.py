"""How fast text is parsed: megabytes a second of svmlight, VW text, CSV and documents, one core.

python -m bench.parsing
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from onebit.kernel.rng import key, uniform
from onebit.streams import formats
from onebit.streams.file import resolve_file, split_bad_rows
from onebit.streams.reading import side_by_side
from onebit.streams.reading.bad_lines import BadLines
from onebit.streams.reading.batch import Reading
from onebit.streams.reading.label_sets import Marks
from onebit.streams.reading.labels import Labels

ROWS, ENTRIES, FEATURES, LABELS, PASSES = 20_000, 75, 47_236, 4, 5
#: The required speed of each format, in megabytes per second.
LEAST = {"svmlight": 100.0, "vw": 100.0, "csv": 150.0, "text": 150.0}
#: Values of a category, and words, of the table and the documents.
COLOURS, WORDS, MOST_WORDS = ("red", "green", "blue", "not known"), 5000, 20


def rows() -> Iterator[tuple[str, float, int]]:
    """Return format, best MB/s of a few passes, and the size of the file in bytes."""
    with tempfile.TemporaryDirectory() as directory:
        for name in LEAST:
            path = Path(directory) / f"rows.{name}"
            made = {"csv": records, "text": documents}.get(name, lambda: lines(name))  # noqa: B023
            path.write_text("".join(made()))
            size = path.stat().st_size
            yield name, size / min(seconds(path) for _ in range(PASSES)) / 1e6, size


def lines(name: str) -> Iterator[str]:
    """Return rows of the shape of tf-idf documents."""
    source = key(0, "bench parsing")
    bar = " |w" if name == "vw" else ""
    for i in range(ROWS):
        at = i * (2 * ENTRIES + 1)
        label = 1 + int(uniform(source, at) * LABELS)
        columns = {1 + int(uniform(source, at + 1 + j) * FEATURES) for j in range(ENTRIES)}
        values = (uniform(source, at + 1 + ENTRIES + j) for j in range(ENTRIES))
        pairs = (f"{c}:{v:.6f}" for c, v in zip(sorted(columns), values, strict=False))
        yield f"{label}{bar} {' '.join(pairs)}\n"


def records() -> Iterator[str]:
    """Return a table of numbers and categories."""
    source = key(0, "bench records")
    yield "a,b,c,d,e,f,label\n"
    for i in range(10 * ROWS):
        u = [uniform(source, 7 * i + n) for n in range(7)]
        colour = COLOURS[int(4 * u[3])]
        label = 1 + int(LABELS * u[6])
        numbers = f"{u[0]:.4f},{1000 * u[1]:.2f},{int(5000 * u[2])}"
        yield f"{numbers},{colour},{u[4]:.1f},{u[5]:.6f},{label}\n"


def documents() -> Iterator[str]:
    """Return documents of words, some of which are much more frequent than others."""
    source = key(0, "bench documents")
    for i in range(5 * ROWS):
        at = i * (MOST_WORDS + 2)
        label, count = (
            1 + int(LABELS * uniform(source, at)),
            int(MOST_WORDS * uniform(source, at + 1)),
        )
        numbers = (int(WORDS * uniform(source, at + 2 + n) ** 3) for n in range(count))
        yield f"{label}\t{' '.join(f'Word{(n * 7919) % 99991:x}' for n in numbers)}.\n"


def seconds(path: Path) -> float:
    """Return the seconds that one thread takes from bytes to rows and labels."""
    more = f",features={2**18}" if path.suffix in (".svmlight", ".vw") else ""
    _, file = resolve_file(f"{path}:labels=1|2|3|4{more}")
    layout = file._replace(tells=False).survey().layout
    labels, bad = Labels(map(str, range(1, LABELS + 1))), BadLines(str(path), skip=False)
    getattr(file.format, "prepare", tuple)()
    side_by_side.cores = lambda: 1
    start = time.perf_counter()
    for batch in file.format.batches(Reading(file.source, bad), layout):
        split_bad_rows(batch, labels, bad, Marks())
    return time.perf_counter() - start


def main() -> None:
    """Print a line a format."""
    assert set(LEAST) <= set(formats.names())
    for name, speed, size in rows():
        least = LEAST[name]
        print(f"{name:<10} {speed:8.0f} MB/s of {size / 1e6:.0f} MB, at least {least:.0f} wanted")


if __name__ == "__main__":
    main()
