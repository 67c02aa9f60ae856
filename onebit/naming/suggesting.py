"""Suggesting a name for one that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str], alike: float = 0.5) -> str:
    """Return ' (did you mean ...?)' if a known name is so much alike, else nothing."""
    by_lower = {each.lower(): each for each in known}
    found = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=alike)
    return f" (did you mean {by_lower[found[0]]}?)" if found else ""
