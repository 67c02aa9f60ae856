"""The labels of an agent: their numbers, which of them may be played, and their form in JSON."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, KeysView, Mapping, Sequence, Set
from typing import Any

import numpy as np
import numpy.typing as npt

from onebit.errors import BadInput, BadLabel
from onebit.naming.params import short_repr

Numbers = npt.NDArray[np.int64]

#: The most labels that an agent takes.
MOST_LABELS = 1_000_000
#: The bits of the largest whole number that Python writes in decimal digits.
_LONGEST_INT = 14_000
#: Levels of tuples in a label: each is a call of its own where labels are hashed and written.
_MOST_LEVELS = 50
_TOO_DEEP = f"Agent: labels must have at most {_MOST_LEVELS} levels of tuples, got more."


class Labels:
    """Labels by number, in the order in which they were added; some may be retired."""

    def __init__(self, labels: Any, retired: Iterable[int] = ()) -> None:
        if isinstance(labels, str) or not isinstance(labels, Iterable):
            raise BadLabel(f"Agent: labels must be a list of labels, got {short_repr(labels)}.")
        if isinstance(labels, Set) and not isinstance(labels, KeysView):
            raise BadLabel(  # the order of strings in a set is another in each process
                f"Agent: labels must be in an order, such as a list, got a {type(labels).__name__}."
            )
        self.names = tuple(itertools.islice(labels, MOST_LABELS + 1))
        if len(self.names) > MOST_LABELS:
            raise BadLabel(f"Agent: labels must be at most {MOST_LABELS:,}, got more.")
        if any(map(_is_deep, self.names)):
            raise BadLabel(_TOO_DEEP)
        try:
            self.numbers: Mapping[Any, int] = {label: k for k, label in enumerate(self.names)}
        except TypeError:
            raise BadLabel(
                f"Agent: labels must be hashable, got {short_repr(list(self.names))}."
            ) from None
        for label in self.names:
            if not _equals_itself(label):
                raise BadLabel(
                    f"Agent: labels must be equal to themselves, got {short_repr(label)}."
                )
        if len(self.numbers) < len(self.names) or len(self.names) < 2:
            raise BadLabel(
                "Agent: labels must be at least 2 and all different, got"
                f" {short_repr(list(self.names))}."
            )
        self.retired = frozenset(retired)
        active = [k for k in range(len(self.names)) if k not in self.retired]
        #: The labels that may be played, None if all of them may.
        self.active: Numbers | None = np.array(active, np.int64) if self.retired else None

    @property
    def active_names(self) -> tuple[Any, ...]:
        """The labels that may be played."""
        return tuple(name for k, name in enumerate(self.names) if k not in self.retired)

    def __len__(self) -> int:
        return len(self.names)

    def find(self, label: Any) -> int:
        """Return the number of a label, -1 for what is no label."""
        try:
            return self.numbers.get(label, -1)
        except TypeError:  # it cannot be hashed
            return -1

    def number(self, label: Any) -> int:
        """Return the number of a label."""
        try:
            return self.numbers[label]
        except (KeyError, TypeError):
            raise BadLabel(
                f"Agent: a label must be one of {short_repr(list(self.names))},"
                f" got {short_repr(label)}."
            ) from None

    def with_label(self, label: Any) -> Labels:
        """Return these labels and one more."""
        if self.find(label) >= 0:
            raise BadLabel(
                f"Agent: a label that is added must be new, got {short_repr(label)}, which is"
                " there; restore(label) brings a retired one back."
            )
        return Labels([*self.names, label], self.retired)

    def without(self, label: Any) -> Labels:
        """Return these labels with one of them retired."""
        number = self.number(label)
        if number in self.retired:
            raise BadLabel(f"Agent: label {short_repr(label)} is retired already.")
        if len(self.names) - len(self.retired) == 1:
            raise BadLabel(f"Agent: label {short_repr(label)} is the last one, it cannot retire.")
        return Labels(self.names, {*self.retired, number})

    def with_restored(self, label: Any) -> Labels:
        """Return these labels with a retired one back."""
        number = self.number(label)
        if number not in self.retired:
            raise BadLabel(f"Agent: label {short_repr(label)} is not retired.")
        return Labels(self.names, self.retired - {number})

    def subset(self, among: Any) -> Numbers | None:
        """Return the numbers of the labels that may be played; None if these are all."""
        if among is None:
            return self.active
        if isinstance(among, str) or not isinstance(among, Iterable):
            raise BadLabel(f"Agent: among must be a list of labels, got {short_repr(among)}.")
        numbers = {self.number(label) for label in among}
        if not numbers or numbers & self.retired:
            raise BadLabel(
                "Agent: among must have at least one label, and none that is retired, got"
                f" {short_repr(sorted(map(short_repr, among)))}."
            )
        if len(numbers) == len(self.names):
            return None
        return np.array(sorted(numbers), np.int64)


def _equals_itself(label: Any) -> bool:
    """Return whether a label is found again: nan, NA, or a tuple with one in it, is not."""
    if isinstance(label, tuple):
        return all(map(_equals_itself, label))
    try:
        return bool(label == label)
    except (TypeError, ValueError):  # that is neither true nor false
        return False


def _is_deep(label: Any, levels: int = _MOST_LEVELS) -> bool:
    """Return whether a label has more levels of tuples than this."""
    if not isinstance(label, tuple):
        return False
    return levels == 0 or any(_is_deep(part, levels - 1) for part in label)


def label_to_json(who: str, label: Any) -> Any:
    """Return a label as JSON holds it: tuples as lists, which cannot be labels themselves."""
    if isinstance(label, tuple):
        return [label_to_json(who, part) for part in label]
    of_numpy = isinstance(label, np.number | np.str_ | np.bool_)
    if of_numpy and not isinstance(label, np.timedelta64):
        label = label.item()
    if label is None or isinstance(label, (str, float)):
        return label
    if isinstance(label, int) and label.bit_length() <= _LONGEST_INT:
        return label
    raise BadInput(
        f"{who}: labels must be strings, numbers, None or tuples of these to be written, got"
        f" {short_repr(label)}."
    )


def label_from_json(label: Any, levels: int = _MOST_LEVELS) -> Any:
    """Return the label that `label_to_json` wrote."""
    if not isinstance(label, list):
        return label
    if levels == 0:
        raise BadLabel(_TOO_DEEP)
    return tuple(label_from_json(part, levels - 1) for part in label)


def labels_to_json(who: str, labels: Sequence[Any]) -> list[Any]:
    """Return labels as JSON holds them."""
    return [label_to_json(who, label) for label in labels]
