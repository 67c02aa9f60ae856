"""What a column is: a number, a category, yes or no, a text, a date, an id, or constant."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from onebit.streams.tables.dates import CLOCK, orders_of
from onebit.streams.tables.fields import (
    COMMA,
    NO_WORDS,
    PLAIN,
    THOUSANDS,
    YES_WORDS,
    plain_number,
    readings,
)
from onebit.streams.tables.survey import ColumnSurvey

NUMBER, CATEGORY, YES_NO, TEXT, DATE = "number", "category", "yes/no", "text", "date"
ID, CONSTANT, LABEL, DROP = "id", "constant", "label", "drop"
#: What a user may say that a column is; the last two are dates in one of two orders.
ASKED = (NUMBER, CATEGORY, YES_NO, TEXT, DATE, DROP, "day-first", "month-first")
#: Kinds that become no features.
LEFT_OUT = (ID, CONSTANT, DROP)

_PAIRS = [set(pair) for pair in zip(NO_WORDS, YES_WORDS, strict=True)]
#: An id is looked for among at least so many fields, of which so large a share is different.
_LEAST_IDS, _DIFFERENT_NUMBERS, _DIFFERENT_CODES = 100, 0.99, 0.95
#: So large a share of a column of numbers may be something else, of so few different texts.
_JUNK_SHARE, _MOST_JUNK, _LEAST_NUMBERS = 0.05, 5, 10
#: So few numbers, of more than so many fields, are codes; fields that tell what is common.
_MOST_CODES, _LEAST_CODES, _FAIR_SAMPLE = 10, 20, 100
_ID_NAME = re.compile(r"(?:.*[_\W])?(id|uuid|guid|key|idx|index|ref|nr|no)|.*[a-z]I[dD]|Unnamed: 0")


class NumberStyle(NamedTuple):
    """How the numbers of a column can be read, and which of its texts are none."""

    styles: frozenset[str]
    junk: tuple[str, ...]
    example: str


def number_style(survey: ColumnSurvey) -> NumberStyle | None:
    """Return how the numbers of a column can be read; None if it is no column of numbers."""
    if not survey.others:
        return NumberStyle(frozenset([PLAIN]), (), "") if survey.sample else None
    styles = frozenset([PLAIN, THOUSANDS, COMMA])
    marks: set[str] = set()
    junk: list[str] = []
    numbers, example = 0, ""
    for field in {**dict.fromkeys(survey.sample), **survey.others}:
        found = readings(field)
        if not found.styles and plain_number(field) is None:
            junk.append(field)
            if len(junk) > _MOST_JUNK:
                return None
            continue
        numbers += 1
        marks.add(found.mark)
        if found.styles and found.styles != styles:
            styles &= found.styles
            example = field if PLAIN not in found.styles else example
    few = len(junk) * (1 / _JUNK_SHARE) <= len(survey.sample) and numbers >= _LEAST_NUMBERS
    rare = sum(map(junk.__contains__, survey.sample)) <= _JUNK_SHARE * len(survey.sample)
    same_unit = len(marks - {""}) <= 1 and ("%" not in marks or len(marks) == 1)
    if not numbers or not styles or not same_unit or (junk and not (few and rare)):
        return None
    return NumberStyle(styles, tuple(junk), example)


def date_orders(survey: ColumnSurvey) -> frozenset[str]:
    """Return the ways in which all fields of a column can be read as dates."""
    found: frozenset[str] | None = None
    for field in dict.fromkeys(survey.sample):
        orders = orders_of(field)
        found = orders if found is None else found & orders
        if not found:
            break
    return found or frozenset()


def kind_of(name: str, survey: ColumnSurvey) -> str:
    """Return what a column is."""
    sample = survey.sample
    if not sample or (not survey.too_many and len(survey.values) == 1 and not survey.gaps):
        return CONSTANT
    if not survey.too_many and 2 <= len(survey.values) <= 8 and _is_yes_no(list(survey.values)):
        return YES_NO
    style = number_style(survey)
    if style is not None and _are_codes(survey):
        return CATEGORY
    if style is not None and not any(_has_leading_zero(f) for f in set(sample) if f[0] == "0"):
        return ID if not style.junk and _is_number_id(name, sample) else NUMBER
    if orders := date_orders(survey):
        return DATE if len(sample) >= 2 or orders != {CLOCK} else CATEGORY
    counts = Counter(sample)
    different = len(counts) / len(sample)
    lengths = {field: len(field.split()) for field in counts}
    words = sum(lengths[field] * count for field, count in counts.items()) / len(sample)
    one_word = max(lengths.values()) == 1
    if len(sample) >= _LEAST_IDS and one_word and different >= _DIFFERENT_CODES:
        return ID
    if (words >= 2.0 and different >= 0.5 and len(sample) >= 20) or (
        words >= 4.0 and len(counts) > 20
    ):
        return TEXT
    return TEXT if words >= 3.0 and different >= 0.5 and len(sample) < 20 else CATEGORY


def _has_leading_zero(field: str) -> bool:
    """Return whether a field is digits that are no number, such as the code 0123."""
    return len(field) > 1 and field[0] == "0" and field.isdigit()


def _are_codes(survey: ColumnSurvey) -> bool:
    """Return whether numbers are rather codes, whatever their unit.

    So they are if they are few, none of them negative, and there are gaps among them; or if they
    are 0 and one other number, both common.
    """
    if survey.too_many or len(survey.values) > _MOST_CODES:
        return False
    numbers = {plain_number(value) for value in survey.values}
    if not all(number is not None and 0.0 <= number < math.inf for number in numbers):
        return False
    if survey.gaps:
        return len(survey.sample) > _LEAST_CODES
    return len(numbers) == 2 and 0.0 in numbers and zero_is_common(survey)


def zero_is_common(survey: ColumnSurvey) -> bool:
    """Return whether both 0 and what is not 0 are at least a tenth of a fair sample.

    Then 0 says something too, and gets a feature of its own.
    """
    counts = Counter(survey.sample).items()
    zeros = sum(count for field, count in counts if plain_number(field) == 0.0)
    return len(survey.sample) >= _FAIR_SAMPLE and 0.1 <= zeros / len(survey.sample) <= 0.9


def _is_yes_no(values: Sequence[str]) -> bool:
    """Return whether values mean yes and no, however they are written."""
    numbers = {plain_number(value) for value in values}
    return {value.strip().lower() for value in values} in _PAIRS or numbers == {0.0, 1.0}


def _is_number_id(name: str, sample: Sequence[str]) -> bool:
    """Return whether numbers are only names: whole, nearly all different, and not measured.

    So they are if they are named so, or count up or down, or leave out few numbers between the
    least and the largest, or are long and all of one length. Whole numbers that are measured and
    fall so close together are rarely all different.
    """
    if not sample[0].strip().isdecimal():  # as most that are no ids
        return False
    sample = [field.strip() for field in sample]
    if not all(field.isdecimal() and len(field) < 100 for field in sample):
        return False
    numbers = [int(field) for field in sample]
    different = len(set(numbers)) / len(numbers)
    if len(sample) < _LEAST_IDS or different < _DIFFERENT_NUMBERS:
        return False
    ups = sum(a < b for a, b in itertools.pairwise(numbers)) / (len(numbers) - 1)
    dense = max(numbers) - min(numbers) < 5 * len(numbers)
    lengths = {len(field) for field in sample}
    long = len(lengths) == 1 and min(lengths) >= 6 and different == 1.0
    return bool(_ID_NAME.fullmatch(name)) or ups >= 0.98 or ups <= 0.02 or dense or long
