"""Fields as text: values of any type, what is missing, and how numbers are written."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

#: Texts that mean that there is no value.
MISSING = frozenset(
    ["", "NA", "N/A", "n/a", "na", "nan", "NaN", "NAN", "null", "NULL", "None", "NaT", "<NA>"]
) | {"?", "-", "--", "#N/A"}
#: Words for no and yes; a column has one pair of them.
NO_WORDS, YES_WORDS = ("no", "false", "n", "f", "off", "0"), ("yes", "true", "y", "t", "on", "1")
#: How numbers of a column are written: 1234.5, 1,234.5 or 1.234,5.
PLAIN, THOUSANDS, COMMA = "plain", "thousands", "comma"

#: Blanks around a field that are no part of it.
_BLANKS = " \t\r\n\u00a0\u202f"
#: A longer field is no number with marks in it; matching it would take the square of its length.
_LONGEST_MARKED = 64

_MARKED = re.compile(
    r"(?P<sign>[+-]?)(?P<before>[$€£¥₹]|(?:USD|EUR|GBP|CHF|JPY) ?)?"
    r"(?P<body>[+-]?[0-9.,' \u00a0\u202f]*[0-9][0-9.,]*(?:[eE][+-]?[0-9]+)?)"
    r" ?(?P<after>[%$€£¥₹]|USD|EUR|GBP|CHF|JPY)?"
)
_POINT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_POINT_GROUPS = re.compile(r"[+-]?[0-9]{1,3}([, '\u00a0\u202f])[0-9]{3}(\1[0-9]{3})*(\.[0-9]+)?")
_COMMA = re.compile(r"[+-]?([0-9]+(,[0-9]+)?|,[0-9]+)([eE][+-]?[0-9]+)?")
_COMMA_GROUPS = re.compile(r"[+-]?[0-9]{1,3}([. '\u00a0\u202f])[0-9]{3}(\1[0-9]{3})*(,[0-9]+)?")
_GROUPING = str.maketrans("", "", " '\u00a0\u202f")


def text_of(value: Any) -> str:
    """Return a value of any type as the text that a file would have for it."""
    if isinstance(value, str):
        return value
    if isinstance(value, np.datetime64):  # .item() is a whole number if it counts nanoseconds
        return "" if np.isnat(value) else str(value)
    if isinstance(value, np.generic):
        value = value.item()
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ")
    if isinstance(value, bytes):
        return value.decode(errors="backslashreplace")
    return str(value)


def is_missing(field: str) -> bool:
    """Return whether a field means that there is no value."""
    return field in MISSING or field.strip(_BLANKS) in MISSING


def plain_number(field: str) -> float | None:
    """Return the number that a field is, written as programs do; None if it is none.

    float() reads more: 1_000, digits of other scripts, and control characters as blanks.
    """
    text = field.strip(_BLANKS)
    if not _is_plain(text):
        return None
    try:
        return float(text)
    except ValueError:
        return None


def plain_numbers(fields: Sequence[str]) -> npt.NDArray[np.float64] | None:
    """Return `plain_number` of many fields, quickly; None if one may be something else."""
    if not _is_plain("".join(fields)):
        return None
    try:
        return np.array(list(map(float, fields)), np.float64)
    except ValueError:
        return None


def _is_plain(text: str) -> bool:
    """Return whether float() reads no more in a text than the numbers that programs write."""
    return text.isascii() and text.isprintable() and "_" not in text


def canonical(field: str) -> str:
    """Return the text that all ways of writing a category have in common: 1.0 is 1."""
    field = field.strip(_BLANKS)
    decimal = "." in field and field.lstrip("+-").replace(".", "", 1).isdecimal()
    return text_of(float(field)) if decimal else field


class NumberForms(NamedTuple):
    """The ways in which a field can be read as a number, and the mark beside it, such as %."""

    styles: frozenset[str]
    mark: str


def readings(field: str) -> NumberForms:
    """Return the ways in which a field can be read as a number; none if it is no number."""
    found = _marked(field)
    if found is None:
        return NumberForms(frozenset(), "")
    before, after = (found["before"] or "").strip(), found["after"] or ""
    if before and after and before != after:
        return NumberForms(frozenset(), "")
    body = (found["sign"] + found["body"]).strip()
    styles = set()
    if _POINT.fullmatch(body):
        styles |= {PLAIN, THOUSANDS}
    if _POINT_GROUPS.fullmatch(body):
        styles.add(THOUSANDS)
    if _COMMA.fullmatch(body) or _COMMA_GROUPS.fullmatch(body):
        styles.add(COMMA)
    return NumberForms(frozenset(styles), before or after)


def read_number(field: str, style: str) -> float | None:
    """Return the number in a field, nan if it is missing, None if it is something else."""
    if style != COMMA or "." not in field:
        number = plain_number(field)
        if number is not None:
            return number
    if is_missing(field):
        return math.nan
    if style not in readings(field).styles:
        return None
    found = _marked(field)
    assert found is not None
    body = (found["sign"] + found["body"]).translate(_GROUPING)
    decimal, group = (",", ".") if style == COMMA else (".", ",")
    return float(body.replace(group, "").replace(decimal, "."))


def _marked(field: str) -> re.Match[str] | None:
    """Return the parts of a number with marks; None if a field is something else."""
    text = field.strip(_BLANKS)
    return _MARKED.fullmatch(text) if len(text) <= _LONGEST_MARKED else None
