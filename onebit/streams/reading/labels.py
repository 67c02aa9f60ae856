"""Labels in files: which spellings are one label, their order, and finding their numbers.

A label is the text that stands for it. Numbers are one label however they are
spelled (1, +1, 1.0); a number with leading zeros, such as 007, is text. The
order is the one that the user gives, else sorted, as numbers if all are.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from onebit.errors import BadInput
from onebit.kernel.rows import Ints
from onebit.kernel.verbs import entry, kernel
from onebit.naming.params import short_repr
from onebit.streams.reading.hashing import murmur
from onebit.streams.reading.numbers import Bytes
from onebit.streams.reading.row_buffer import Longs

_NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]*)(\.[0-9]*)?([eE][+-]?[0-9]+)?", re.ASCII)


def is_number(text: str) -> bool:
    """Say whether a text is a number that fits into one."""
    return len(text) < 300 and _NUMBER.fullmatch(text) is not None


def label_of(text: str) -> str:
    """Return the one spelling of a label."""
    if not is_number(text):
        return text
    if text.lstrip("+-").isdigit():
        return str(int(text))
    number = float(text)
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)


def in_order(texts: Iterable[str]) -> list[str]:
    """Return texts sorted: as numbers if all are, else by their letters."""
    found = list(texts)
    if all(map(is_number, found)):
        return sorted(found, key=lambda text: (float(text), text))
    return sorted(found)


def as_objects(labels: Sequence[str]) -> list[Hashable]:
    """Return labels as a Python user would write them: whole numbers, numbers or strings."""
    if all(map(is_number, labels)):
        if all(label.lstrip("-").isdigit() for label in labels):
            return [int(label) for label in labels]
        return [float(label) for label in labels]
    return list(labels)


class Spans(NamedTuple):
    """Labels that stand in a piece of text, one a row, from here to there."""

    piece: bytes
    starts: Longs
    stops: Longs


Spelled = Spans | list[str]


class Labels:
    """The labels of a file and their numbers; a first pass adds those that it meets."""

    def __init__(self, known: Iterable[str] = (), *, growing: bool = False) -> None:
        self.growing = growing
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._table = new_table(64, 1024)
        for label in known:
            self._add(label)

    @classmethod
    def given(cls, who: str, texts: Sequence[str]) -> Labels:
        """Return the labels that a user gave, in that order."""
        labels = cls(label_of(text) for text in texts)
        if len(labels.names) < max(2, len(texts)):
            raise BadInput(
                f"{who}: labels must be at least 2 and all different, got {_list(texts)}."
            )
        return labels

    def numbers(self, spelled: Spelled) -> Ints:
        """Return the number of each label, -1 for those that are not known."""
        if isinstance(spelled, list):
            return np.array([self.number(text) for text in spelled], np.int32)
        out = np.empty(len(spelled.starts), np.int32)
        text = np.frombuffer(spelled.piece, np.uint8)
        find(self._table, text, spelled.starts, spelled.stops, out)
        met: dict[bytes, int] = {}
        for n in np.flatnonzero(out < 0).tolist():
            spelling = spelled.piece[spelled.starts[n] : spelled.stops[n]]
            if spelling not in met:
                met[spelling] = self._meet(spelling)
            out[n] = met[spelling]
        return out

    def number(self, text: str) -> int:
        """Return the number of a label, -1 if it is not known."""
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers.get(label_of(text))
        if found is None:
            found = self._add(label_of(text)) if self.growing and is_label(text) else -1
        return found

    def _add(self, label: str) -> int:
        if label not in self._numbers:
            self._numbers[label] = len(self.names)
            self.names.append(label)
        return self._numbers[label]

    def _meet(self, spelling: bytes) -> int:
        """Return the number of a label that the table has not met, and put it there."""
        try:
            number = self.number(spelling.decode())
        except UnicodeDecodeError:
            return -1
        if number >= 0:
            self._table = put(self._table, np.frombuffer(spelling, np.uint8), number)
        return number


def is_label(text: str) -> bool:
    """Say whether a text can be a label: not empty, no broken letters, no control characters."""
    return text != "" and text.isprintable()


def refuse_single(who: str, labels: Sequence[str]) -> None:
    """Raise the sentence if there are not enough labels to choose from."""
    if len(labels) < 2:
        raise BadInput(
            f"{who} must have at least 2 labels, got only {_list(labels)};"
            " name those that never occur with --labels."
        )


def _list(texts: Sequence[str]) -> str:
    return short_repr(", ".join(texts))


class Table(NamedTuple):
    """Spellings of labels by their hash: slots point to words, words stand in `text`."""

    slots: Ints
    starts: Longs
    numbers: Ints
    text: Bytes
    words: Longs


def new_table(slots: int, size: int) -> Table:
    """Return an empty table for up to slots / 2 words of so many bytes together."""
    words = slots // 2
    return Table(
        np.full(slots, -1, np.int32), np.zeros(words + 1, np.int64), np.empty(words, np.int32),
        np.empty(size, np.uint8), np.zeros(1, np.int64),
    )  # fmt: skip


def put(table: Table, word: Bytes, number: int) -> Table:
    """Return the table with one more word; a larger one if it is full."""
    count = int(table.words[0])
    end = int(table.starts[count])
    if count == len(table.numbers) or end + len(word) > len(table.text):
        larger = new_table(2 * len(table.slots), 2 * (len(table.text) + len(word)))
        _refill(larger, table)
        table = larger
    _insert(table, word, number)
    return table


@kernel
def slot_of(table: Table, text: Bytes, start: int, stop: int) -> int:
    """Return the slot of a word, or the empty one where it belongs."""
    mask = table.slots.shape[0] - 1
    slot = murmur(text, start, stop) & mask
    while table.slots[slot] >= 0:
        word = table.slots[slot]
        first = table.starts[word]
        if table.starts[word + 1] - first == stop - start:
            same = True
            for n in range(stop - start):
                if table.text[first + n] != text[start + n]:
                    same = False
                    break
            if same:
                break
        slot = (slot + 1) & mask
    return slot  # type: ignore[no-any-return]


@kernel
def add_word(table: Table, text: Bytes, start: int, stop: int, number: int) -> None:
    """Put the word text[start:stop] into a table that has room for it."""
    n = table.words[0]
    first = table.starts[n]
    table.text[first : first + stop - start] = text[start:stop]
    table.starts[n + 1] = first + stop - start
    table.numbers[n] = number
    table.slots[slot_of(table, text, start, stop)] = n
    table.words[0] = n + 1


@entry
def _insert(table: Table, word: Bytes, number: int) -> None:
    add_word(table, word, 0, word.shape[0], number)


@entry
def _refill(table: Table, old: Table) -> None:
    for n in range(old.words[0]):
        add_word(table, old.text, old.starts[n], old.starts[n + 1], old.numbers[n])


@entry
def find(table: Table, text: Bytes, starts: Longs, stops: Longs, out: Ints) -> None:
    """Set out[i] to the number of the word text[starts[i]:stops[i]], -1 if it is not there."""
    for i in range(out.shape[0]):
        word = table.slots[slot_of(table, text, starts[i], stops[i])]
        out[i] = table.numbers[word] if word >= 0 else -1
