"""Files of the shapes that users have, made of random numbers, for `python -m bench.parsing`."""

from __future__ import annotations

import datetime
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

LABELS = ("1", "2", "3", "4")
#: Words that a category has, and that texts are made of.
_COLOURS = ("red", "green", "blue", "not known")
_COMMON = (  # noqa: SIM905
    "the a please help my i with on since yesterday it is not have can you we our after still need"
    " hello hi team again today now very and but for this that when what why how from to of in"
).split()


class Made(NamedTuple):
    """A file to be made.

    Attributes
    ----------
    name : str
        What it is, for the report.
    ending : str
        The ending of its name, which tells the format.
    rows : int
        How many rows it has.
    make : callable
        What yields its lines as text, given how many rows; Parquet is made of CSV.
    least : float
        The required speed of reading its rows, in megabytes per second; 0 if there is none.
    """

    name: str
    ending: str
    rows: int
    make: Callable[[int], Iterator[str]]
    least: float = 0.0


def tf_idf(rows: int, bar: str = "") -> Iterator[str]:
    """Yield rows of the shape of tf-idf documents, as svmlight or, with a bar, as VW text."""
    draw = random.Random(1)
    for _ in range(rows):
        columns = sorted(set(draw.choices(range(1, 47_237), k=75)))
        pairs = " ".join(f"{column}:{draw.random():.6f}" for column in columns)
        yield f"{draw.choice(LABELS)}{bar} {pairs}\n"


def vw(rows: int) -> Iterator[str]:
    """Yield the same as VW text."""
    return tf_idf(rows, " |w")


def mixed(rows: int) -> Iterator[str]:
    """Yield a table of numbers and a category."""
    draw = random.Random(2)
    yield "a,b,c,d,e,f,label\n"
    for _ in range(rows):
        u = [draw.random() for _ in range(6)]
        numbers = f"{u[0]:.4f},{1000 * u[1]:.2f},{int(5000 * u[2])}"
        colour = _COLOURS[int(4 * u[3])]
        yield f"{numbers},{colour},{u[4]:.1f},{u[5]:.6f},{draw.choice(LABELS)}\n"


def small(rows: int) -> Iterator[str]:
    """Yield a table of nine whole numbers of few digits, as the sensors of a shuttle give."""
    draw = random.Random(3)
    yield "".join(f"s{n}," for n in range(9)) + "label\n"
    for _ in range(rows):
        n = [int(draw.gauss(40, 12)) for _ in range(9)]
        yield f"{n[0]},{n[1] - 40},{n[2] + 40},0,{n[4]},{n[5] - 40},{n[6]},{n[7]},{n[8] - 40}," + (
            f"{draw.choice(LABELS)}\n"
        )


def wide(rows: int) -> Iterator[str]:
    """Yield a table of 100 measured numbers."""
    draw = random.Random(4)
    yield "".join(f"m{n}," for n in range(100)) + "label\n"
    for _ in range(rows):
        numbers = ",".join([f"{draw.gauss(0, 1):.5f}" for _ in range(100)])
        yield f"{numbers},{draw.choice(LABELS)}\n"


def exact(rows: int) -> Iterator[str]:
    """Yield a table of ten numbers with all digits that a float64 has, as programs write them."""
    draw = random.Random(5)
    yield "".join(f"m{n}," for n in range(10)) + "label\n"
    for _ in range(rows):
        numbers = ",".join([repr(draw.gauss(0, 1)) for _ in range(10)])
        yield f"{numbers},{draw.choice(LABELS)}\n"


def words(rows: int) -> Iterator[str]:
    """Yield a table of categories alone."""
    draw = random.Random(6)
    values = [[f"{kind}-{n}" for n in range(size)] for kind, size in
              (("country", 60), ("size", 4), ("grade", 7), ("shop", 300), ("way", 3))]  # fmt: skip
    yield "country,size,grade,shop,way,label\n"
    for _ in range(rows):
        fields = ",".join([draw.choice(column) for column in values])
        yield f"{fields},{draw.choice(LABELS)}\n"


def tickets(rows: int) -> Iterator[str]:
    """Yield support tickets: an id, a date, categories, numbers with gaps, a text in quotes."""
    yield "ticket,created,product,premium,spent,age,subject,label\n"
    for record in _tickets(rows):
        *fields, subject, label = ("" if value is None else str(value) for value in record.values())
        yield f'{",".join(fields)},"{subject}",{label}\n'


def json_tickets(rows: int) -> Iterator[str]:
    """Yield the same as JSON lines of flat objects."""
    for record in _tickets(rows):
        yield json.dumps({**record, "created": str(record["created"])}) + "\n"


def json_numbers(rows: int) -> Iterator[str]:
    """Yield a table of numbers and a category as JSON lines of flat objects."""
    lines = mixed(rows)
    names = next(lines).strip().split(",")
    for line in lines:
        fields = [f if f in _COLOURS else json.loads(f) for f in line.strip().split(",")]
        yield json.dumps(dict(zip(names, fields, strict=True))) + "\n"


def json_names(rows: int) -> Iterator[str]:
    """Yield rows of named features as JSON lines."""
    draw = random.Random(8)
    for _ in range(rows):
        row: dict[str, Any] = {f"feature {draw.randrange(500)}": round(draw.random(), 4)
                               for _ in range(20)}  # fmt: skip
        row["colour"] = draw.choice(_COLOURS)
        yield json.dumps({"x": row, "y": draw.choice(LABELS)}) + "\n"


def _tickets(rows: int) -> Iterator[dict[str, Any]]:
    draw = random.Random(7)
    start = datetime.datetime(2024, 1, 3, 8, 0)
    rare = [f"{draw.choice(_COMMON)}{draw.choice(_COMMON)}" for _ in range(3000)]
    for n in range(rows):
        chosen = draw.choices(_COMMON, k=draw.randint(5, 14)) + draw.choices(rare, k=4)
        yield {
            "ticket": 100_000 + n * 7919 % (2 * rows),
            "created": start + datetime.timedelta(minutes=n * 17 + draw.randint(0, 16)),
            "product": draw.choice(("phone", "laptop", "tablet", "web shop", "app")),
            "premium": draw.choice(("yes", "no", "no")),
            "spent": None if draw.random() < 0.1 else round(draw.gauss(900, 200), 2),
            "age": None if draw.random() < 0.05 else draw.randint(18, 80),
            "subject": " ".join(chosen),
            "label": draw.choice(LABELS),
        }


def documents(rows: int) -> Iterator[str]:
    """Yield documents of up to 20 made-up words, some of which are much more frequent."""
    draw = random.Random(9)
    for _ in range(rows):
        numbers = [int(5000 * draw.random() ** 3) for _ in range(int(20 * draw.random()))]
        text = " ".join(f"Word{(n * 7919) % 99991:x}" for n in numbers)
        yield f"{draw.choice(LABELS)}\t{text}.\n"


def letters(rows: int) -> Iterator[str]:
    """Yield documents of English words, as people write them."""
    draw = random.Random(10)
    for record in _tickets(rows):
        subject = str(record["subject"])
        yield f"{draw.choice(LABELS)}\t{subject.capitalize()}, {draw.choice(_COMMON)}!\n"


FILES = (
    Made("svmlight", "svm", 20_000, tf_idf, 100.0),
    Made("vw", "vw", 20_000, vw, 100.0),
    Made("csv: numbers and a category", "csv", 200_000, mixed, 150.0),
    Made("csv: small whole numbers", "csv", 250_000, small, 150.0),
    Made("csv: 100 numbers", "csv", 8_000, wide, 150.0),
    Made("csv: numbers of 17 digits", "csv", 30_000, exact, 150.0),
    Made("csv: categories", "csv", 100_000, words, 150.0),
    Made("csv: tickets", "csv", 40_000, tickets, 150.0),
    Made("text: made-up words", "txt", 100_000, documents, 150.0),
    Made("text: English words", "txt", 80_000, letters, 150.0),
    Made("jsonl: named features", "jsonl", 15_000, json_names, 100.0),
    Made("jsonl: a table of numbers", "jsonl", 60_000, json_numbers, 100.0),
    Made("jsonl: a table of tickets", "jsonl", 25_000, json_tickets, 100.0),
    Made("parquet: numbers and a category", "parquet", 200_000, mixed),
    Made("parquet: 100 numbers", "parquet", 8_000, wide),
    Made("parquet: tickets", "parquet", 40_000, tickets),
)


def write(made: Made, folder: Path) -> tuple[Path, int]:
    """Write a file; return its path and its size, that of the same rows as text if it is none."""
    path = folder / f"{FILES.index(made)}.{made.ending}"
    if made.ending != "parquet":
        path.write_text("".join(made.make(made.rows)), encoding="utf-8")
        return path, path.stat().st_size
    import pyarrow.csv
    import pyarrow.parquet

    text = path.with_suffix(".csv")
    text.write_text("".join(made.make(made.rows)), encoding="utf-8")
    kinds = {"label": "string"}
    options = pyarrow.csv.ConvertOptions(column_types=kinds)
    pyarrow.parquet.write_table(pyarrow.csv.read_csv(text, convert_options=options), path)
    return path, text.stat().st_size
