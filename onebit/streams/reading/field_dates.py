"""Dates as programs write them, 2024-05-06 and maybe a time, in compiled code, and their features.

Sines and cosines are from tables that Python fills, so that they have the same bits as there.
"""

from __future__ import annotations

import datetime
import functools
from typing import NamedTuple

import numpy as np

from onebit.kernel.rows import Floats, Ints
from onebit.kernel.verbs import kernel
from onebit.streams.reading.numbers import Bytes, byte_at, is_digit
from onebit.streams.reading.row_buffer import Int64s
from onebit.streams.tables.dates import part_values

#: The parts of a date, each as a number; 0 is none.
PART_NUMBERS = {"month": 1, "hour": 2, "weekday": 3, "trend": 4}
MOST_PARTS = len(PART_NUMBERS)
_DAY = 86400
#: The days of a year before each month.
_DAYS_BEFORE = np.array([0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365])
#: The days from the year 0 to 1970.
_EPOCH = 719528


class Cycles(NamedTuple):
    """Sine and cosine of each day of a year (31 days a month), second of a day, day of a week."""

    days: Floats
    seconds: Floats
    weekdays: Floats


#: In place of tables that are not needed.
NO_CYCLES = Cycles(*(np.empty((0, 2)) for _ in range(3)))


@functools.cache
def cycles() -> Cycles:
    """Return the tables."""
    start = datetime.datetime(1970, 1, 1)
    leap = datetime.datetime(1972, 1, 1)
    days = [
        part_values(leap.replace(month=month, day=min(day, _last_day(month))), "month", 0.0, 1.0)
        for month in range(1, 13)
        for day in range(1, 32)
    ]
    times = (start + datetime.timedelta(seconds=second) for second in range(_DAY))
    weekdays = (start + datetime.timedelta(days=4 + day) for day in range(7))  # from Monday on
    return Cycles(
        np.array(days),
        np.array([part_values(time, "hour", 0.0, 1.0) for time in times]),
        np.array([part_values(day, "weekday", 0.0, 1.0) for day in weekdays]),
    )


def _last_day(month: int) -> int:
    """Return the last day of a month, in a leap year."""
    return 29 if month == 2 else 30 if month in (4, 6, 9, 11) else 31


@kernel
def two_digits(text: Bytes, at: int) -> int:
    """Return the number that two bytes are; a large negative one if they are no digits."""
    one, two = byte_at(text, at), byte_at(text, at + 1)
    return one * 10 + two - 528 if is_digit(one) & is_digit(two) else -1000000


@kernel
def read_iso_date(text: Bytes, start: int, stop: int) -> tuple[int, int, int, int]:
    """Return month, day, days since 1970 and seconds of the day of text[start:stop].

    The month is 0 if the text is not YYYY-MM-DD, with HH:MM or HH:MM:SS after a blank or a T or
    without, or if there is no such day.
    """
    length = stop - start
    if length != 10 and length != 16 and length != 19:
        return 0, 0, 0, 0
    year = two_digits(text, start) * 100 + two_digits(text, start + 2)
    month, day = two_digits(text, start + 5), two_digits(text, start + 8)
    sound = (byte_at(text, start + 4) == 45) & (byte_at(text, start + 7) == 45)
    sound = sound & (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1)
    if not sound:
        return 0, 0, 0, 0
    leap = (year & 3 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    after_february = 1 if leap and month > 2 else 0
    last = _DAYS_BEFORE[month + 1] - _DAYS_BEFORE[month] + (1 if leap and month == 2 else 0)
    before = year - 1
    days = 365 * year + before // 4 - before // 100 + before // 400 + 1
    days += _DAYS_BEFORE[month] + after_february + day - 1 - _EPOCH
    seconds = 0
    if length > 10:
        between, hour = byte_at(text, start + 10), two_digits(text, start + 11)
        minute = two_digits(text, start + 14)
        second = two_digits(text, start + 17) if length == 19 else 0
        sound = ((between == 32) | (between == 84)) & (byte_at(text, start + 13) == 58)
        sound = sound & (length == 16 or byte_at(text, start + 16) == 58)
        sound = sound & (hour >= 0) & (hour < 24) & (minute >= 0) & (minute < 60)
        sound = sound & (second >= 0) & (second < 60)
        seconds = hour * 3600 + minute * 60 + second
    return month if sound and day <= last else 0, day, days, seconds


@kernel
def put_date(
    text: Bytes, start: int, stop: int, first: int, parts: Int64s, times: Floats, tables: Cycles,
    indices: Ints, values: Floats, end: int,
) -> int:  # fmt: skip
    """Write the features of a date from `end` on, the first being `first`; return their end.

    Returns -1 if the text is left to Python. `times` are where the trend is 0, and its span.
    """
    month, day, days, seconds = read_iso_date(text, start, stop)
    if month == 0:
        return -1
    for n in range(parts.shape[0]):
        part = parts[n]
        if part == 0:
            break
        if part == 4:
            value = (float(days * 86400 + seconds) - times[0]) / times[1]
            indices[end], values[end] = first, value
            end += 1 if value != 0.0 else 0
            first += 1
            continue
        table, row = tables.days, 31 * month + day - 32
        if part == 2:
            table, row = tables.seconds, seconds
        elif part == 3:
            table, row = tables.weekdays, (days + 3) % 7
        for m in range(2):
            indices[end], values[end] = first + m, table[row, m]
            end += 1 if table[row, m] != 0.0 else 0
        first += 2
    return end
