"""How fast text is parsed: megabytes a second of svmlight and VW text, one core.

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
from onebit.streams.reading.bad_lines import BadLines
from onebit.streams.reading.batch import Reading
from onebit.streams.reading.labels import Labels

ROWS, ENTRIES, FEATURES, LABELS, PASSES = 20_000, 75, 47_236, 4, 5
#: The required speed of every format, in megabytes per second.
LEAST = 100.0


def rows() -> Iterator[tuple[str, float, int]]:
    """Return format, best MB/s of a few passes, and the size of the file in bytes."""
    with tempfile.TemporaryDirectory() as directory:
        for name in ("svmlight", "vw"):
            path = Path(directory) / f"rows.{name}"
            path.write_text("".join(lines(name)))
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


def seconds(path: Path) -> float:
    """Return the seconds that one thread takes from bytes to rows and labels."""
    _, file = resolve_file(f"{path}:labels=1|2|3|4,features={2**18}")
    layout = file.format.layout(False)
    labels, bad = Labels(map(str, range(1, LABELS + 1))), BadLines(str(path), skip=False)
    getattr(file.format, "prepare", tuple)()
    start = time.perf_counter()
    for batch in file.format.batches(Reading(file.source, bad), layout):
        split_bad_rows(batch, labels, bad, "")
    return time.perf_counter() - start


def main() -> None:
    """Print a line a format."""
    assert {"svmlight", "vw"} <= set(formats.names())
    for name, speed, size in rows():
        print(f"{name:<10} {speed:8.0f} MB/s of {size / 1e6:.0f} MB, at least {LEAST:.0f} wanted")


if __name__ == "__main__":
    main()
