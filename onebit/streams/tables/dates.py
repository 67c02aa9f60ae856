"""Dates and times in fields: how they are written, and the numbers made of them."""

from __future__ import annotations

import datetime
import math
import re

#: How the dates of a column are written.
ISO, DAY_FIRST, MONTH_FIRST, YEAR_FIRST, CLOCK = "iso", "day-first", "month-first", "year", "clock"
#: The numbers that a date can be turned into, and how many features each is.
PARTS = {"month": 2, "weekday": 2, "hour": 2, "trend": 1}

_PARTED = re.compile(
    r"([0-9]{1,4})([./-])([0-9]{1,2})\2([0-9]{1,4})"
    r"(?:[ T]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\.[0-9]+)?)?)?"
)
_CLOCK = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:\.[0-9]+)?)?")
_DAY = 86400.0


def read_date(field: str, order: str) -> datetime.datetime | None:
    """Return the date and time in a field; None if it is none that is written so."""
    text = field.strip()
    if order == CLOCK:
        found = _CLOCK.fullmatch(text)
        if found is None:
            return None
        return datetime.datetime(1970, 1, 1, int(found[1]), int(found[2]), int(found[3] or 0))
    try:
        if order == ISO:
            plausible = len(text) >= 10 and text[4] == "-" == text[7]
            return datetime.datetime.fromisoformat(text) if plausible else None
        found = _PARTED.fullmatch(text)
        if found is None:
            return None
        one, two, three = int(found[1]), int(found[3]), int(found[4])
        if order == YEAR_FIRST:
            if len(found[1]) != 4:
                return None
            year, month, day = one, two, three
        else:
            day, month = (one, two) if order == DAY_FIRST else (two, one)
            if len(found[4]) not in (2, 4):
                return None
            year = three + 2000 if len(found[4]) == 2 else three
        hour, minute, second = (int(part or 0) for part in found.group(5, 6, 7))
        return datetime.datetime(year, month, day, hour, minute, second)
    except ValueError:  # such as a 13th month
        return None


def orders_of(field: str) -> frozenset[str]:
    """Return the ways in which a field can be read as a date; none if it is no date."""
    if read_date(field, CLOCK) is not None:
        return frozenset([CLOCK])
    if read_date(field, ISO) is not None:
        return frozenset([ISO])
    found = {each for each in (DAY_FIRST, MONTH_FIRST, YEAR_FIRST) if read_date(field, each)}
    if "." in field.partition(" ")[0]:  # with points, the day comes first
        found.discard(MONTH_FIRST)
    return frozenset(found)


def seconds(date: datetime.datetime) -> float:
    """Return the seconds since 1970; a date without a zone is taken as UTC."""
    zone = date.tzinfo or datetime.UTC
    return date.replace(tzinfo=zone).timestamp()


def seconds_of_day(date: datetime.datetime) -> float:
    """Return the seconds since midnight, by the clock that the field has."""
    return date.hour * 3600.0 + date.minute * 60.0 + date.second + date.microsecond / 1e6


def part_values(date: datetime.datetime, part: str, start: float, span: float) -> tuple[float, ...]:
    """Return the features of a part: sine and cosine of a cycle, or how far along the trend is."""
    if part == "trend":
        return ((seconds(date) - start) / span,)
    if part == "month":
        turn = (date.month - 1 + (date.day - 1) / 31.0) / 12.0
    elif part == "weekday":
        turn = date.weekday() / 7.0
    else:
        turn = seconds_of_day(date) / _DAY
    return math.sin(2.0 * math.pi * turn), math.cos(2.0 * math.pi * turn)
