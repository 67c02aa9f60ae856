"""Looking at a file before it is played: columns, labels, gaps, duplicates, leaks and order."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from onebit.kernel.block import Single, Truths
from onebit.kernel.rows import as_sparse
from onebit.naming.spec import Spec
from onebit.streams.file import File, resolve_file
from onebit.streams.reading.batch import Reading
from onebit.streams.reading.label_sets import readable
from onebit.streams.tables.describing import what_becomes
from onebit.streams.tables.encoder import ColumnCode, Encoder
from onebit.streams.tables.fields import MISSING, plain_number, read_number
from onebit.streams.tables.kinds import DATE, LABEL, NUMBER, TEXT

#: Rows whose fields are looked at for leaks, examples and duplicates.
MOST_ROWS = 200_000
#: A column gives the label away if it alone predicts it in so large a share of rows.
_LEAK = 0.98
#: Numbers are looked at in so many groups of equal size.
_GROUPS = 50
_EXAMPLES = 3


class ColumnFacts(NamedTuple):
    """What was found in a column; `leak` says how it gives the label away, if it does."""

    name: str
    kind: str
    becomes: str
    gaps: int
    different: int
    examples: list[str]
    leak: str


class Inspection(NamedTuple):
    """What was found in a file, as plain data: the fields of `onebit inspect --json`."""

    file: str
    format: str
    rows: int
    features: int
    megabytes: float
    labels: dict[str, int]
    columns: list[ColumnFacts]
    duplicates: int
    order: str
    looked_at: int

    @property
    def facts(self) -> str:
        """The order of rows, and the duplicates if it is a table."""
        if not self.looked_at:
            return self.order
        return f"{self.order}; {self.duplicates:,} duplicates among {self.looked_at:,} records"


def inspect_file(spec: str | Spec) -> Inspection:
    """Return what is in a file.

    Raises
    ------
    BadInput
        If it cannot be read.
    """
    full, file = resolve_file(spec)
    file = file._replace(tells=False)  # all of it is in the inspection
    stream = file.open(0)
    labels: Counter[int] = Counter()
    rows, changes, entries = 0, 0, 0
    last: tuple[int, ...] = ()
    for block in stream.blocks():
        truths = _right_labels(block.truths)
        labels.update(itertools.chain.from_iterable(truths))
        rows += len(truths)
        entries += len(as_sparse(block.rows).indices)
        changes += sum(a != b for a, b in itertools.pairwise([last, *truths]))
        last = truths[-1]
    columns: list[ColumnFacts] = []
    duplicates, looked_at, by_time = 0, 0, ""
    encoder = stream.encoder
    if encoder is not None and hasattr(file.format, "table"):
        records = list(_records(file))
        looked_at = len(records)
        duplicates = looked_at - len({tuple(record) for record in records})
        fields = list(zip(*records, strict=True))
        columns = [
            _facts(code, column, _label_fields(encoder, fields))
            for code, column in zip(encoder.codes, fields, strict=True)
        ]
        by_time = _time_order(encoder, fields)
    order = "rows are not sorted by label" + (", nor by time" if looked_at else "")
    if changes <= 2 * len(labels) and 2 * changes <= _changes_if_shuffled(labels, rows):
        order = "rows are sorted by label"
    elif by_time:
        order = f"rows are sorted by time, column {by_time}"
    counts = {str(stream.labels[k]): n for k, n in labels.most_common()}
    return Inspection(
        file.source.name, full.params["format"], rows, stream.features,
        round((12 * entries + 12 * rows) / 1e6, 3), counts, columns, duplicates, order, looked_at,
    )  # fmt: skip


def _changes_if_shuffled(labels: Counter[int], rows: int) -> float:
    """Return how many rows are expected to have another label than the one before, or none before.

    So it is if the order is random; a rare label changes seldom in any order.
    """
    return 1.0 + sum(count * (rows - count) for count in labels.values()) / max(rows, 1)


def _right_labels(truths: Truths) -> list[tuple[int, ...]]:
    """Return the numbers of the right labels of each row."""
    labels = truths.labels.tolist()
    if isinstance(truths, Single):
        return [(label,) for label in labels]
    return [tuple(labels[a:b]) for a, b in itertools.pairwise(truths.starts.tolist())]


def _records(file: File) -> Iterator[Sequence[str]]:
    """Return the first records of a table."""
    reading = Reading(file.source, file.new_bad_lines())
    for n, (_, fields) in enumerate(file.format.table(reading)):
        if n == MOST_ROWS:
            return
        yield tuple(fields)


def _label_fields(encoder: Encoder, fields: Sequence[Sequence[str]]) -> Sequence[str]:
    return next(c for code, c in zip(encoder.codes, fields, strict=True) if code.kind == LABEL)


def _facts(code: ColumnCode, fields: Sequence[str], labels: Sequence[str]) -> ColumnFacts:
    present = [field for field in fields if field not in MISSING]
    examples = [readable(text)[:40] for text, _ in Counter(present).most_common(_EXAMPLES)]
    gaps, different = len(fields) - len(present), len(set(present))
    leak = "" if code.kind == LABEL else _leak(code, fields, labels)
    return ColumnFacts(code.name, code.kind, what_becomes(code), gaps, different, examples, leak)


def _leak(code: ColumnCode, fields: Sequence[str], labels: Sequence[str]) -> str:
    """Return how a column gives the label away, an empty text if it does not."""
    majority = Counter(labels).most_common(1)[0][1] / len(labels)
    if code.kind == TEXT:
        pairs = zip(fields, labels, strict=True)
        named = sum(label.lower() in field.lower() for field, label in pairs)
        return f"names the label in {named / len(labels):.0%}" if named >= 0.9 * len(labels) else ""
    groups = (
        fields if len(set(fields)) <= max(_GROUPS, len(fields) ** 0.5) else _grouped(code, fields)
    )
    if groups is None or majority > 0.95 or len(labels) < 2 * _GROUPS:
        return ""
    counts: defaultdict[Any, Counter[str]] = defaultdict(Counter)
    for group, label in zip(groups, labels, strict=True):
        counts[group][label] += 1
    right = sum(found.most_common(1)[0][1] for found in counts.values()) / len(labels)
    return f"alone predicts the label in {right:.1%}" if right >= _LEAK else ""


def _grouped(code: ColumnCode, fields: Sequence[str]) -> list[int] | None:
    """Return the group of each number, of groups of equal size; None if they are no numbers.

    What is missing in a column of numbers is a group of its own.
    """
    if code.kind == NUMBER:
        found = [read_number(field, code.style) for field in fields]
        numbers = [None if number is None or math.isnan(number) else number for number in found]
    else:
        numbers = [plain_number(field) for field in fields]
        if any(number is None for number in numbers):
            return None
    ranked = sorted((number, n) for n, number in enumerate(numbers) if number is not None)
    groups = [_GROUPS] * len(fields)
    for rank, (_, n) in enumerate(ranked):
        groups[n] = rank * _GROUPS // len(ranked)
    return groups


def _time_order(encoder: Encoder, fields: Sequence[Sequence[str]]) -> str:
    """Return the date by which rows are sorted, an empty text if there is none."""
    for code, column in zip(encoder.codes, fields, strict=True):
        if code.kind == DATE and code.style in ("iso", "year"):
            present: Iterable[str] = [field for field in column if field not in MISSING]
            found = list(present)
            ups = sum(a <= b for a, b in itertools.pairwise(found))
            if len(found) > 2 and ups >= 0.98 * (len(found) - 1):
                return code.name
    return ""
