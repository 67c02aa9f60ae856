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
        place = mmh3.hash(f"{prefix}{word}", signed=False) % width
        weights[place] = weights.get(place, 0.0) + 1.0 + math.log(count)
    norm = math.sqrt(math.fsum(weight * weight for weight in weights.values())) or 1.0
    places = sorted(weights)
    return places, [weights[place] / norm for place in places]
