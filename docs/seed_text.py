"""What a text that onebit is built on consists of."""

from __future__ import annotations

from typing import NamedTuple

KINDS = (
    "algorithm", "theorem", "definition", "data set", "figure", "table", "experiment", "claim",
    "extension", "open problem",
)  # fmt: skip


class Item(NamedTuple):
    """An item of a text: its kind, its name there, the file that has it, and what shows it."""

    kind: str
    name: str
    place: str
    shown: str


class Text(NamedTuple):
    """A text: its reference, the numbers of its numbered items, its items, and its traps.

    A trap is a line that misleads a reader, and what is right.
    """

    reference: str
    numbered: dict[str, tuple[int | str, ...]]
    items: tuple[Item, ...]
    traps: tuple[str, ...] = ()
