"""An alarm of concept drift: mistakes have become so much more frequent that the data changed.

Two running means of mistakes are compared, of about the last 128 rounds and the last 2,048. While a
learner learns, the first is the lower one; an alarm needs it to be higher by six deviations.
"""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from onebit.kernel.rows import Floats
from onebit.kernel.state import Axes
from onebit.kernel.verbs import kernel

#: Rounds of the two means, and those after an alarm in which there is no other.
LATELY, USUALLY, GRACE = 128.0, 2048.0, 256.0
#: Deviations that raise the alarm, and what is added to the usual share of mistakes for them.
DEVIATIONS, FLOOR = 6.0, 0.02

# Positions in `means`.
RECENT, USUAL, SINCE, ALARMS = range(4)


class Alarm(NamedTuple):
    """The two means, the rounds since the last alarm, and the number of alarms."""

    means: Annotated[Floats, Axes(4, within="[0, 4e18]")]


@kernel
def world_changed(alarm: Alarm, correct: bool) -> bool:
    """Count a bit; return whether it raises the alarm, which starts the means anew."""
    means = alarm.means
    wrong = 0.0 if correct else 1.0
    means[SINCE] += 1.0
    means[RECENT] += (wrong - means[RECENT]) / min(means[SINCE], LATELY)
    means[USUAL] += (wrong - means[USUAL]) / min(means[SINCE], USUALLY)
    if means[SINCE] < GRACE:
        return False
    share = min(means[USUAL] + FLOOR, 0.5)
    deviation = math.sqrt(share * (1.0 - share) / (2.0 * LATELY))
    if means[RECENT] <= means[USUAL] + DEVIATIONS * deviation:
        return False
    means[RECENT], means[USUAL], means[SINCE] = 0.0, 0.0, 0.0
    means[ALARMS] += 1.0
    return True
