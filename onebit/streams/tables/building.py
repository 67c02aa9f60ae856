"""Making an encoder from what a pass over a table found, and from what the user says."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from onebit.errors import BadFile
from onebit.kernel.features import HASHED_WIDTH, LARGEST
from onebit.kernel.sizes import NUMERIC
from onebit.naming.params import short_repr
from onebit.streams.tables.dates import CLOCK, PARTS, read_date, seconds, seconds_of_day
from onebit.streams.tables.encoder import NAMED, ColumnCode, Encoder
from onebit.streams.tables.fields import (
    COMMA,
    PLAIN,
    THOUSANDS,
    canonical,
    plain_number,
    read_number,
    readings,
)
from onebit.streams.tables.kinds import (
    ASKED,
    CATEGORY,
    DATE,
    LABEL,
    LEFT_OUT,
    NUMBER,
    TEXT,
    YES_NO,
    NumberStyle,
    date_orders,
    kind_of,
    number_style,
    zero_is_common,
)
from onebit.streams.tables.labels import sort_texts
from onebit.streams.tables.survey import ColumnSurvey

AUTO = "auto"
#: The norm of a text beside other columns.
TEXT_NORM = 3.0
#: A number with at most so many values also has a feature for each, if so many rows are for each.
MOST_STEPS, _ROWS = 10, 1000
#: A month of the year says something if dates span so many days.
_DAYS_FOR_MONTHS = 60
_DAY = 86400.0


class Wishes(NamedTuple):
    """What the user says of a table.

    Attributes
    ----------
    kinds : mapping
        What columns are, by name.
    strict : collection of str
        Columns that must be numbers: another field is malformed.
    orders : mapping
        The first values of categories by column, under None those of all other categories.
    seen : bool
        Whether values are numbered as they are seen, not sorted.
    hashed : int
        How many features texts and categories of too many values are hashed to.
    decimal : str
        "point", "comma" or "auto".
    scale : bool
        Whether numeric columns are to be scaled for learners that do not scale rows themselves.
    """

    kinds: Mapping[str, str] = MappingProxyType({})
    strict: Iterable[str] = ()
    orders: Mapping[str | None, Sequence[str]] = MappingProxyType({})
    seen: bool = False
    hashed: int = HASHED_WIDTH
    decimal: str = AUTO
    scale: bool = True


def build_encoder(
    who: str,
    names: Sequence[str],
    label: int | None,
    surveys: Sequence[ColumnSurvey],
    wishes: Wishes,
) -> Encoder:
    """Return the encoder of a table, features column by column, the hashed ones last."""
    kinds = [
        LABEL if n == label else wishes.kinds.get(name) or kind_of(name, survey)
        for n, (name, survey) in enumerate(zip(names, surveys, strict=True))
    ]
    for n, name in enumerate(names):
        if name in wishes.orders and n != label:
            kinds[n] = CATEGORY
    styles = {
        name: number_style(survey)
        for name, kind, survey in zip(names, kinds, surveys, strict=True)
        if kind == NUMBER
    }
    decimal = _decimal(styles, wishes)
    codes: list[ColumnCode] = []
    end = 0
    for name, kind, survey in zip(names, kinds, surveys, strict=True):
        if kind == NUMBER:
            found = styles[name]
            code = _number(name, survey, _style(who, name, survey, found, decimal), found)
            code = code._replace(strict=name in wishes.strict)
            if name not in wishes.kinds and not code.strict:
                code = _by_value(code, survey)
        elif kind in (DATE, "day-first", "month-first"):
            code = _date(who, name, survey, kind)
        elif kind in (YES_NO, CATEGORY):
            code = _values(name, kind, survey, wishes)
        elif kind in (TEXT, LABEL, *LEFT_OUT):
            code = ColumnCode(name, kind)
        else:
            raise BadFile(
                f"{who}: what a column is must be one of {', '.join(ASKED)},"
                f" got {short_repr(kind)} for {short_repr(name)}."
            )
        codes.append(code._replace(first=end))
        end += code.width
    any_hashed = any(code.hashed for code in codes)
    codes = [c._replace(first=end, width=wishes.hashed) if c.hashed else c for c in codes]
    weight = _text_weight(codes)
    codes = [c._replace(weight=weight) if c.kind == TEXT else c for c in codes]
    return Encoder(codes, max(end + wishes.hashed * any_hashed, 1), wishes.scale)


def _text_weight(codes: Sequence[ColumnCode]) -> float:
    """Return the norm of texts, so that they are heard beside other columns.

    With norm 1 each of ten words would weigh a third of any other value; with norm 3 it weighs as
    much, and where there are numbers, which are not zero in any row, as much as all of them.
    """
    used = [code for code in codes if code.kind not in (LABEL, *LEFT_OUT)]
    if len(used) == 1:
        return 1.0
    numbers = sum(column.values == NUMERIC for code in used for column in code.declared())
    return TEXT_NORM * math.sqrt(max(numbers, 1))


def named_encoder(names: Sequence[str], label: int, wishes: Wishes) -> Encoder:
    """Return the encoder of a table that is read only once: all columns are hashed by name."""
    codes = []
    for n, name in enumerate(names):
        asked = wishes.kinds.get(name, NAMED)
        kind = CATEGORY if name in wishes.orders else asked
        if kind not in (CATEGORY, TEXT, *LEFT_OUT):
            kind = NAMED
        code = ColumnCode(name, LABEL if n == label else kind, strict=name in wishes.strict)
        codes.append(code._replace(width=wishes.hashed) if code.hashed else code)
    return Encoder(codes, wishes.hashed, wishes.scale)


def _decimal(styles: Mapping[str, NumberStyle | None], wishes: Wishes) -> str:
    """Return how decimals are written in the whole table, as far as a column tells."""
    if wishes.decimal != AUTO:
        return wishes.decimal
    sure = {tuple(sorted(found.styles)) for found in styles.values() if found is not None}
    return "comma" if (COMMA,) in sure else "point" if (THOUSANDS,) in sure else AUTO


def _style(
    who: str, name: str, survey: ColumnSurvey, found: NumberStyle | None, decimal: str
) -> str:
    """Return how the numbers of a column are written, or raise BadFile if that is a question."""
    styles = found.styles if found is not None else frozenset([PLAIN])
    if decimal == "comma" and not survey.others:  # 1.234 is a number of thousands then
        pointed = [field for field in survey.sample if "." in field]
        fits = pointed and all(COMMA in readings(field).styles for field in pointed)
        return COMMA if fits else PLAIN
    if len(styles) == 1:
        return next(iter(styles))
    if decimal == "comma" and COMMA in styles:
        return COMMA
    if PLAIN in styles:
        return PLAIN
    if decimal == "point":
        return THOUSANDS
    assert found is not None
    raise BadFile(
        f"{who}: column {name} has numbers such as {found.example}; is that a decimal comma? Give"
        " decimal=comma, or decimal=point if the comma separates thousands."
    )


def _number(name: str, survey: ColumnSurvey, style: str, found: NumberStyle | None) -> ColumnCode:
    gap = survey.gaps > 0 or bool(found and found.junk)
    numbers = [read_number(field, style) for field in survey.sample] if gap else []
    sound = [n for n in numbers if n is not None and abs(n) < math.inf]
    fill = statistics.median(sound) if sound else 0.0
    return ColumnCode(name, NUMBER, width=1 + gap, gap=gap, fill=fill, style=style)


def _by_value(code: ColumnCode, survey: ColumnSurvey) -> ColumnCode:
    """Return the code of a number with a feature for each value too, if there are few.

    Such numbers may be codes, or steps that need not be even.
    """
    found = {read_number(field, code.style) for field in survey.values} - {None}
    values = sorted(n for n in found if n is not None and abs(n) <= LARGEST)
    if survey.too_many or not 3 <= len(values) <= MOST_STEPS or _ROWS * len(values) > survey.rows:
        return code
    return code._replace(width=code.width + len(values), values=tuple(map(repr, values)))


def _values(name: str, kind: str, survey: ColumnSurvey, wishes: Wishes) -> ColumnCode:
    gap = survey.gaps > 0
    numbers = {plain_number(value) for value in survey.values}
    if kind == YES_NO and numbers == {0.0, 1.0} and not gap and not zero_is_common(survey):
        return ColumnCode(name, kind, width=1, binary=True)
    if survey.too_many:
        return ColumnCode(name, CATEGORY, gap=gap)
    if kind == YES_NO and kind_of(name, survey) == YES_NO:
        return ColumnCode(name, kind, width=2 + gap, values=("no", "yes"), gap=gap)
    found = [canonical(value) for value in survey.values]
    first = wishes.orders.get(name, wishes.orders.get(None, ()))
    ordered = found if wishes.seen else sort_texts(dict.fromkeys(found))
    values = list(dict.fromkeys([*first, *ordered]))
    return ColumnCode(name, CATEGORY, width=len(values) + gap, values=tuple(values), gap=gap)


def _date(who: str, name: str, survey: ColumnSurvey, asked: str) -> ColumnCode:
    orders = date_orders(survey)
    if asked != DATE:
        orders &= {asked}
    if not orders:
        example = short_repr(survey.sample[0] if survey.sample else "")
        raise BadFile(f"{who}: column {name} must have dates, got {example}.")
    if len(orders) > 1:
        raise BadFile(
            f"{who}: column {name} has dates such as {survey.sample[0]}; is the first number the"
            f" day or the month? Give kinds={name}/day-first or kinds={name}/month-first."
        )
    (order,) = orders
    dates = [date for field in survey.sample if (date := read_date(field, order)) is not None]
    times = sorted(map(seconds, dates))
    span = times[-1] - times[0] or _DAY
    parts = [] if order == CLOCK else ["weekday", "trend"]
    if any(map(seconds_of_day, dates)):
        parts.insert(0, "hour")
    if order != CLOCK and span > _DAYS_FOR_MONTHS * _DAY:
        parts.insert(0, "month")
    gap = survey.gaps > 0
    fill = (statistics.median(times) - times[0]) / span
    width = sum(PARTS[part] for part in parts) + gap
    return ColumnCode(
        name, DATE, width=width, gap=gap, fill=fill, style=order, parts=tuple(parts),
        start=times[0], span=span,
    )  # fmt: skip
