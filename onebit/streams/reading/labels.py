"""Labels in files: their numbers, in the order that the user gives, else sorted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.errors import BadFile
from onebit.kernel.block import Multi, Single, Truths
from onebit.kernel.rows import Ints
from onebit.naming.params import short_repr
from onebit.streams.reading.label_sets import Marks
from onebit.streams.reading.row_buffer import Int64s
from onebit.streams.reading.word_table import (
    any_contains,
    find_words,
    insert_word,
    new_word_table,
)
from onebit.streams.tables.labels import canonical_label

Bools = npt.NDArray[np.bool_]

#: So many rows of new labels are looked at before the others are looked up again.
_FEW = 64


class LabelSpans(NamedTuple):
    """Labels inside a chunk of text: that of row i is chunk[starts[i]:stops[i]]."""

    chunk: bytes
    starts: Int64s
    stops: Int64s

    def text(self, row: int, errors: str = "backslashreplace") -> str:
        """Return the label of a row, for a message; `errors` is what becomes of invalid bytes."""
        label = self.chunk[self.starts[row] : self.stops[row]]
        try:
            return label.decode(errors="surrogatepass")  # half a character, from an escape of JSON
        except UnicodeDecodeError:
            return label.decode(errors=errors)


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
        text = np.frombuffer(raw.chunk, np.uint8)
        find_words(self._table, text, raw.starts, raw.stops, out)
        new: dict[bytes, int] = {}
        unknown, some = np.flatnonzero(out < 0), _FEW
        while len(unknown):
            for n in unknown[:some].tolist():
                word = raw.chunk[raw.starts[n] : raw.stops[n]]
                if word not in new:
                    new[word] = self._number_of_new(word)
                out[n] = new[word]
            rest = unknown[some:]  # most of them are in the table now
            again = np.empty(len(rest), np.int32)
            find_words(self._table, text, raw.starts[rest], raw.stops[rest], again)
            out[rest] = again
            unknown, some = rest[again < 0], 2 * some
        return out

    def truths(self, raw: RawLabels, marks: Marks) -> tuple[Truths, Bools]:
        """Return the right labels of each row, and whether all of them are known.

        With marks a row may have several; they are then sorted, each once, with its degree of
        relevance if any row has one, the highest of those given. A degree of 0 is a wrong label.
        """
        if not _has_any(raw, marks.characters):
            numbers = self.numbers(raw)
            return Single(numbers), numbers >= 0
        if isinstance(raw, list):
            texts = raw
        else:  # an invalid byte becomes what is in no label
            texts = [raw.text(n, "surrogateescape") for n in range(len(raw.starts))]
        known, counts, labels, degrees = [], [], [], []
        for text in texts:
            found: dict[int, float] = {}
            for part, degree in marks.split(text):
                number = self.number(part) if degree == degree else -1  # not nan
                found[number] = max(degree, found.get(number, 0.0))
            right = sorted(number for number, degree in found.items() if degree != 0.0)
            known.append(-1 not in found)
            counts.append(len(right))
            labels += right
            degrees += [found[number] for number in right]
        starts = np.zeros(len(texts) + 1, np.int64)
        np.cumsum(counts, out=starts[1:])
        graded = _has_any(raw, marks.before_degree)
        return (
            Multi(starts, np.array(labels, np.int32), np.array(degrees if graded else [])),
            np.array(known, np.bool_),
        )

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


def _has_any(raw: RawLabels, characters: str) -> bool:
    """Return whether the label of any row holds one of some characters."""
    if isinstance(raw, list):
        return any(character in text for text in raw for character in characters)
    text = np.frombuffer(raw.chunk, np.uint8)
    return any(any_contains(text, raw.starts, raw.stops, ord(mark)) for mark in characters)


def select_truths(truths: Truths, kept: Bools) -> Truths:
    """Return the right labels of some rows."""
    if isinstance(truths, Single):
        return Single(truths.labels[kept])
    counts = np.diff(truths.starts)
    starts = np.zeros(int(kept.sum()) + 1, np.int64)
    np.cumsum(counts[kept], out=starts[1:])
    entries, degrees = np.repeat(kept, counts), truths.degrees
    return Multi(starts, truths.labels[entries], degrees[entries] if len(degrees) else degrees)


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
