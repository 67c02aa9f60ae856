"""An encoder as plain data, for files: written, and checked when it is read."""

from __future__ import annotations

import itertools
import math
from typing import Any

from onebit.streams.tables.dates import CLOCK, DAY_FIRST, ISO, MONTH_FIRST, PARTS, YEAR_FIRST
from onebit.streams.tables.encoder import NAMED, ColumnCode, Encoder
from onebit.streams.tables.fields import COMMA, PLAIN, THOUSANDS, plain_number
from onebit.streams.tables.kinds import CATEGORY, DATE, LABEL, LEFT_OUT, NUMBER, TEXT, YES_NO

_KINDS = (NUMBER, CATEGORY, YES_NO, TEXT, DATE, LABEL, NAMED, *LEFT_OUT)
_STYLES = (PLAIN, THOUSANDS, COMMA, ISO, DAY_FIRST, MONTH_FIRST, YEAR_FIRST, CLOCK)
_USUAL = ColumnCode("", "")


def to_plain(encoder: Encoder) -> dict[str, Any]:
    """Return an encoder as data that JSON can hold; only what is not as usual is written."""
    codes = [
        {k: v for k, v in code._asdict().items() if k in ("name", "kind") or v != usual[k]}
        for usual in (_USUAL._asdict(),)
        for code in encoder.codes
    ]
    return {"features": encoder.features, "scale": encoder.scale, "columns": codes}


def from_plain(data: Any) -> Encoder:
    """Return the encoder that data is of.

    Raises
    ------
    ValueError
        If it is not what `to_plain` returned.
    """
    try:
        codes = [_code(each) for each in data["columns"]]
        features, scale = data["features"], data["scale"]
        sound = (
            type(features) is int
            and 1 <= features < 2**31
            and type(scale) is bool
            and all(_is_sound(code, features) for code in codes)
            and len({code.name for code in codes}) == len(codes)
            and _are_apart(codes)
        )
    except (TypeError, KeyError, AttributeError, OverflowError):
        sound = False
    if not sound:
        raise ValueError("not an encoder")
    return Encoder(codes, features, scale)


def _code(data: Any) -> ColumnCode:
    fields: Any = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
    return ColumnCode(**fields)


def _is_sound(code: ColumnCode, features: int) -> bool:
    """Return whether a column has the types and ranges that its kind needs."""
    whole = type(code.first) is int and type(code.width) is int
    texts = [code.name, code.kind, code.style, *code.values, *code.parts]
    flags = [code.gap, code.strict, code.binary]
    numbers = [code.fill, code.start, code.span, code.weight]
    typed = (
        whole
        and all(isinstance(text, str) for text in texts)
        and all(isinstance(flag, bool) for flag in flags)
        and all(type(n) in (int, float) and math.isfinite(n) and abs(n) <= 1e100 for n in numbers)
    )
    if not typed or code.kind not in _KINDS or code.style not in _STYLES or code.span <= 0:
        return False
    if code.first < 0 or code.width < 0 or code.first + code.width > features:
        return False
    if code.kind in (LABEL, *LEFT_OUT):
        return code.width == 0
    if code.hashed and not code.binary:
        return code.width >= 1
    if code.kind == DATE:
        known = all(part in PARTS for part in code.parts) and len(set(code.parts)) < 5
        in_order = "trend" not in code.parts or code.parts[-1] == "trend"
        width = sum(PARTS.get(part, 0) for part in code.parts)
        return known and in_order and code.width == width + code.gap
    if code.kind == YES_NO and not code.binary and code.values != ("no", "yes"):
        return False
    if code.kind == NUMBER and not all(map(_is_finite, code.values)):
        return False
    own = len(code.values) + code.is_number
    return own >= 1 and len(set(code.values)) == len(code.values) and code.width == own + code.gap


def _is_finite(text: str) -> bool:
    """Return whether a text is a finite number."""
    number = plain_number(text)
    return number is not None and math.isfinite(number)


def _are_apart(codes: list[ColumnCode]) -> bool:
    """Return whether columns share no features, but for those that are hashed."""
    own = sorted((c.first, c.first + c.width) for c in codes if c.width and not c.hashed)
    own += sorted({(c.first, c.first + c.width) for c in codes if c.width and c.hashed})
    return all(a[1] <= b[0] for a, b in itertools.pairwise(own))
