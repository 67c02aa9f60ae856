"""Labels as text: which texts are the same label, their order, and labels as Python objects.

A number is the same label however it is written (1, +1, 1.0); a number with leading zeros, such
as 007, is text.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence

from onebit.errors import BadFile
from onebit.naming.params import short_repr
from onebit.streams.tables.encoder import Encoder
from onebit.streams.tables.kinds import CATEGORY, YES_NO

#: So few labels a table may have, however few its rows; beyond it, a tenth of its rows.
FEW_LABELS = 20

_LABEL_NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]*)(\.[0-9]*)?([eE][+-]?[0-9]+)?", re.ASCII)


def is_label_number(text: str) -> bool:
    """Return whether a label is a number: finite digits without leading zeros."""
    return len(text) < 300 and _LABEL_NUMBER.fullmatch(text) is not None


def canonical_label(text: str) -> str:
    """Return the text that all ways of writing a label have in common."""
    if not is_label_number(text):
        return text
    if text.lstrip("+-").isdigit():
        return str(int(text))
    number = float(text)
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)


def sort_texts(texts: Iterable[str]) -> list[str]:
    """Return texts sorted: as numbers if all are, else by their characters."""
    found = list(texts)
    if all(map(is_label_number, found)):
        return sorted(found, key=lambda text: (float(text), text))
    return sorted(found)


def labels_as_objects(labels: Sequence[str]) -> list[Hashable]:
    """Return labels as Python objects: all int, all float, or all str."""
    if all(map(is_label_number, labels)):
        if all(label.lstrip("-").isdigit() for label in labels):
            return [int(label) for label in labels]
        return [float(label) for label in labels]
    return list(labels)


def similar_labels(labels: Iterable[str]) -> list[list[str]]:
    """Return groups of labels that differ in case or blanks only."""
    groups: dict[str, list[str]] = {}
    for label in labels:
        groups.setdefault("".join(label.split()).casefold(), []).append(label)
    return [group for group in groups.values() if len(group) > 1]


def check_label_share(
    who: str, names: Sequence[str], rows: int, encoder: Encoder, option: str
) -> None:
    """Raise BadFile if the label's column can hardly be one of labels: it has too many."""
    if len(names) <= FEW_LABELS or len(names) <= rows / 10:
        return
    other = [c.name for c in encoder.codes if c.kind == YES_NO or (c.kind == CATEGORY and c.values)]
    hint = f", such as {short_repr(', '.join(other))}" if other else ""
    raise BadFile(
        f"{who}: column {encoder.label} has {len(names):,} labels in {rows:,} rows, more than a"
        f" tenth of them; is it the label? Name the label's column with {option}COLUMN{hint}, or"
        " give all labels."
    )
