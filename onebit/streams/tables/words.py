"""Words of a text: hashed, weighed by how often they occur, and scaled to norm 1."""

from __future__ import annotations

import math
import re
from collections import Counter

import mmh3

_WORD = re.compile(r"\w+")


def text_entries(text: str, width: int, prefix: str = "") -> tuple[list[int], list[float]]:
    """Return the features of a text, ascending, and their values.

    Words are in lower case and hashed, with the prefix before them, to `width` features; a word
    that occurs n times weighs 1 + ln(n), and all together have norm 1.
    """
    weights: dict[int, float] = {}
    for word, count in Counter(_WORD.findall(text.lower())).items():
        place = hashed_place(f"{prefix}{word}", width)
        weights[place] = weights.get(place, 0.0) + 1.0 + math.log(count)
    norm = math.sqrt(math.fsum(weight * weight for weight in weights.values())) or 1.0
    places = sorted(weights)
    return places, [weights[place] / norm for place in places]


def hashed_place(text: str, width: int) -> int:
    """Return the place that a text is hashed to; mmh3 crashes if a str has a lone surrogate."""
    return mmh3.hash(text.encode(errors="surrogatepass"), signed=False) % width
