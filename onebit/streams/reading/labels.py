"""Labels in files: which texts are the same label, their order, and their numbers.

A number is the same label however it is written (1, +1, 1.0); a number with leading zeros, such
as 007, is text. The order is the one that the user gives, else sorted, as numbers if all are.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from onebit.errors import BadFile
from onebit.kernel.rows import Ints
from onebit.naming.params import short_repr
from onebit.streams.reading.numbers import is_label_number
from onebit.streams.reading.row_buffer import Int64s
from onebit.streams.reading.word_table import find_words, insert_word, new_word_table


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


class LabelSpans(NamedTuple):
    """Labels inside a chunk of text: that of row i is chunk[starts[i]:stops[i]]."""

    chunk: bytes
    starts: Int64s
    stops: Int64s

    def text(self, row: int) -> str:
        """Return the label of a row."""
        return self.chunk[self.starts[row] : self.stops[row]].decode(errors="backslashreplace")


#: The labels of rows as they are written in the file.
RawLabels = LabelSpans | list[str]


class Labels:
    """The labels of a file and their numbers; if `growing`, new labels are added as they occur."""

    def __init__(self, known: Iterable[str] = (), *, growing: bool = False) -> None:
        self.growing = growing
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._table = new_word_table(64, 1024)
        for label in known:
            self._add(label)

    @classmethod
    def given(cls, who: str, texts: Sequence[str]) -> Labels:
        """Return the labels that a user gave, in that order."""
        labels = cls(canonical_label(text) for text in texts)
        if len(labels.names) < max(2, len(texts)):
            raise BadFile(
                f"{who}: labels must be at least 2 and all different, got {_joined(texts)}."
            )
        return labels

    def numbers(self, raw: RawLabels) -> Ints:
        """Return the number of each label, -1 for those that are not known."""
        if isinstance(raw, list):
            return np.array([self.number(text) for text in raw], np.int32)
        out = np.empty(len(raw.starts), np.int32)
        find_words(self._table, np.frombuffer(raw.chunk, np.uint8), raw.starts, raw.stops, out)
        new: dict[bytes, int] = {}
        for n in np.flatnonzero(out < 0).tolist():
            word = raw.chunk[raw.starts[n] : raw.stops[n]]
            if word not in new:
                new[word] = self._number_of_new(word)
            out[n] = new[word]
        return out

    def number(self, text: str) -> int:
        """Return the number of a label, -1 if it is not known."""
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers.get(canonical_label(text))
        if found is None:
            found = self._add(canonical_label(text)) if self.growing and is_label(text) else -1
        return found

    def _add(self, label: str) -> int:
        if label not in self._numbers:
            self._numbers[label] = len(self.names)
            self.names.append(label)
        return self._numbers[label]

    def _number_of_new(self, word: bytes) -> int:
        """Return the number of a label that is not in the table yet, and insert it there."""
        try:
            number = self.number(word.decode())
        except UnicodeDecodeError:
            return -1
        if number >= 0:
            self._table = insert_word(self._table, np.frombuffer(word, np.uint8), number)
        return number


def is_label(text: str) -> bool:
    """Return whether a text can be a label: not empty, and printable."""
    return text != "" and text.isprintable()


def check_label_count(who: str, labels: Sequence[str]) -> None:
    """Raise BadInput if there are fewer than 2 labels."""
    if len(labels) < 2:
        raise BadFile(
            f"{who} must have at least 2 labels, got only {_joined(labels)};"
            " name those that never occur with --labels."
        )


def _joined(texts: Sequence[str]) -> str:
    return short_repr(", ".join(texts))
