"""Making a case that was found smaller, as long as the finding stays the same."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any


def shrink(
    case: Any,
    smaller: Callable[[Any], Iterator[Any]],
    fails: Callable[[Any], bool],
    seconds: float,
) -> Any:
    """Return the smallest case found within some seconds that still fails."""
    end = time.monotonic() + seconds
    found = True
    while found:
        found = False
        for each in smaller(case):
            if time.monotonic() > end:
                return case
            if fails(each):
                case, found = each, True
                break
    return case


def kind_of(finding: str) -> str:
    """Return what two findings of the same fault have in common: no numbers, no quoted texts."""
    return re.sub(r"'.*'|\".*\"|0x[0-9a-f]+|[0-9]+", "_", finding)[:120]


def without_parts(text: Any) -> Iterator[Any]:
    """Yield a text, bytes or a list without some of its parts: long runs first, then short ones."""
    length = len(text)
    size = max(1, length // 2)
    while length and size:
        for at in range(0, length, size):
            yield text[:at] + text[at + size :]
        size //= 2
