"""What a combination of experts shows of itself: its calibration, its weights over time."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from onebit.kernel.rows import Floats
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import COUNTS, Axes, initial_state
from onebit.kernel.verbs import kernel
from onebit.learners.shared.stack import Stack

#: Bins of estimates, and moments at which weights are kept.
BINS, MOMENTS = 10, 64

# Columns of `reliability`: rounds, the sum of estimates, and rounds that were right.
COUNT, ESTIMATED, RIGHT = range(3)
# Positions in `progress`: moments kept, rounds between them, rounds, rounds that explored.
KEPT, STRIDE, SEEN, EXPLORED = range(4)


class Monitor(NamedTuple):
    """Counts by estimate of the played label, and rows of round, beliefs and stack weights."""

    reliability: Annotated[Floats, Axes(BINS, 3, within=COUNTS)]
    history: Annotated[Floats, Axes(MOMENTS, "moment")]
    progress: Annotated[Floats, Axes(4, within=COUNTS)]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Monitor:
        """Return the first state for `params["members"]` experts."""
        state = initial_state(cls, sizes, {"moment": 2 * (params["members"] + 1) + 1})
        state.progress[STRIDE] = 1.0
        return state

    def is_sound(self) -> bool:
        """Return whether there are as many moments as there is room for."""
        return bool(self.progress[KEPT] <= MOMENTS and self.progress[STRIDE] >= 1.0)


@kernel
def observe(monitor: Monitor, stack: Stack, scores: Floats, label: int, correct: bool) -> None:
    """Count a round whose bit came, and keep the weights at some of them."""
    estimate, progress = scores[label], monitor.progress
    best = label
    for k in range(scores.shape[0]):
        if scores[k] > scores[best]:
            best = k
    place = min(int(estimate * BINS), BINS - 1)
    monitor.reliability[place, COUNT] += 1.0
    monitor.reliability[place, ESTIMATED] += estimate
    monitor.reliability[place, RIGHT] += 1.0 if correct else 0.0
    progress[SEEN] += 1.0
    progress[EXPLORED] += 1.0 if best != label else 0.0
    if progress[SEEN] % progress[STRIDE] == 0.0:
        keep_moment(monitor, stack)


@kernel
def keep_moment(monitor: Monitor, stack: Stack) -> None:
    """Keep the weights; where there is no room, drop every second moment first."""
    history, progress = monitor.history, monitor.progress
    if progress[KEPT] == MOMENTS:
        for n in range(MOMENTS // 2):
            for i in range(history.shape[1]):
                history[n, i] = history[2 * n + 1, i]
        progress[KEPT] = MOMENTS // 2
        progress[STRIDE] *= 2.0
    n, inputs = int(progress[KEPT]), stack.beliefs.shape[0]
    history[n, 0] = progress[SEEN]
    for i in range(inputs):
        history[n, 1 + i] = stack.beliefs[i]
        history[n, 1 + inputs + i] = stack.weights[i]
    progress[KEPT] += 1.0


def report(monitor: Monitor, names: list[str]) -> dict[str, Any]:
    """Return the diagnostics as plain data."""
    kept, inputs = int(monitor.progress[KEPT]), len(names) + 1
    moments = monitor.history[:kept]
    bins = [
        {
            "from": n / BINS,
            "to": (n + 1) / BINS,
            "rounds": int(row[COUNT]),
            "estimated": row[ESTIMATED] / row[COUNT],
            "right": row[RIGHT] / row[COUNT],
        }
        for n, row in enumerate(monitor.reliability.tolist())
        if row[COUNT]
    ]
    seen = max(float(monitor.progress[SEEN]), 1.0)
    return {
        "experts": names,
        "rounds": moments[:, 0].astype(int).tolist(),
        "beliefs": {n: moments[:, 1 + i].tolist() for i, n in enumerate([*names, "stack"])},
        "stack_weights": {
            n: moments[:, 1 + inputs + i].tolist() for i, n in enumerate([*names, "bias"])
        },
        "calibration": bins,
        "explored": float(monitor.progress[EXPLORED]) / seen,
    }
