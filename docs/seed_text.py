"""The texts that onebit is built on, item by item, from `seeds.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
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
    numbered: dict[str, list[int | str]]
    items: list[Item]
    traps: list[str]


def read_texts() -> list[Text]:
    """Return the texts."""
    found = tomllib.loads(Path(__file__).with_name("seeds.toml").read_text(encoding="utf-8"))
    return [
        Text(**{**text, "items": [Item(*item) for item in text["items"]]})
        for text in found.values()
    ]
