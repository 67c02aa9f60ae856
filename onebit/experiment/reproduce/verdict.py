"""The verdict rule: whether our number reproduces the published one."""

from __future__ import annotations

import math


def verdict(value: float, sd: float, published: float, published_sd: float) -> str:
    """Return "reproduced", "better" or "not reproduced"; lower values are better.

    A number is reproduced if it differs from the published one by at most two standard
    deviations of the difference. Both deviations are over single runs; an unknown one
    (nan, for a single run) counts as 0.
    """
    own_sd = 0.0 if math.isnan(sd) else sd
    if abs(value - published) <= 2 * math.sqrt(own_sd**2 + published_sd**2):
        return "reproduced"
    return "better" if value < published else "not reproduced"
