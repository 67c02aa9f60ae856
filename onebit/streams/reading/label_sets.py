"""Several right labels of a row, and their degrees of relevance, as text: `news=3;arts=1`."""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

#: Between the labels of a list, and before their degrees; no label can hold them.
_BETWEEN, _BEFORE_DEGREE = "\x1f", "\x1e"
#: The characters that the parameter `several` names.
SEPARATORS = {"no": "", "comma": ",", "semicolon": ";", "bar": "|", "blank": " "}


class Marks(NamedTuple):
    """The characters between right labels, and those before a degree; "" if there are none."""

    between: str = ""
    before_degree: str = ""

    @classmethod
    def of_format(cls, kind: type, several: str, degrees: str) -> Marks:
        """Return the marks of a file: those of its format and those that its parameters add."""
        lists = getattr(kind, "LISTS", False)
        between = getattr(kind, "SEPARATOR", SEPARATORS[several])
        return cls(
            between + _BETWEEN * lists,
            "=" * (degrees == "yes") + _BEFORE_DEGREE * lists,
        )

    @property
    def characters(self) -> str:
        """All marks."""
        return self.between + self.before_degree

    def split(self, text: str) -> list[tuple[str, float]]:
        """Return the labels of a row and their degrees; nan for what is no degree.

        A text without marks is one label as it is, whatever other rows have.
        """
        if not any(mark in text for mark in self.characters):
            return [(text, 1.0)]
        parts = re.split(f"[{re.escape(self.between)}]", text) if self.between else [text]
        return [self._degree(part) for part in parts]

    def _degree(self, part: str) -> tuple[str, float]:
        at = max((part.rfind(mark) for mark in self.before_degree), default=-1)
        if at < 0:
            return part.strip(), 1.0
        number = part[at + 1 :].strip()
        try:
            degree = float(number) if "_" not in number else math.nan
        except ValueError:
            degree = math.nan
        return part[:at].strip(), degree if 0.0 <= degree < math.inf else math.nan


def labels_text(value: Any) -> str | None:
    """Return a label, a list of them or their degrees by label as text; None if it is none."""
    if isinstance(value, dict):
        degrees = value.values()
        if not all(isinstance(each, int | float) for each in degrees):
            return None
        marked = [f"{_BEFORE_DEGREE}{float(each)!r}" for each in degrees]
    elif isinstance(value, list):
        marked = [""] * len(value)
    else:
        return label_text(value)
    parts = [text for each in value if (text := label_text(each)) is not None]
    if not 0 < len(parts) == len(value):
        return None
    return _BETWEEN.join(map("".join, zip(parts, marked, strict=True)))


def label_text(value: Any) -> str | None:
    """Return a label as text; None if it is neither a string nor a number, or holds a mark."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if not isinstance(value, str) or _BETWEEN in value or _BEFORE_DEGREE in value:
        return None
    return value or None


def readable(text: str) -> str:
    """Return labels of a list for a reader."""
    return text.replace(_BETWEEN, ",").replace(_BEFORE_DEGREE, "=")
