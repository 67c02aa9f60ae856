"""Diagnostics of a combination of experts: its calibration, its weights over time, replay."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.kernel.rows import Floats
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import COUNTS, Axes, initial_state
from onebit.kernel.verbs import kernel
from onebit.learners.shared.stack import Stack

#: Bins of estimates, and moments at which weights are kept.
BINS, MOMENTS = 10, 64

# Columns of `reliability`: rounds, the sum of estimates, and rounds that were right.
COUNT, ESTIMATED, RIGHT = range(3)
# Positions in `progress`: moments kept, rounds between them, rounds, those that explored, mistakes.
KEPT, STRIDE, SEEN, EXPLORED, WRONG = range(5)
# Columns of `history`: rounds, those that explored, mistakes, then beliefs and stack weights.
MOMENT = 3


class Monitor(NamedTuple):
    """Counts by estimate of the played label, moments of the past, and counts of replay."""

    reliability: Annotated[Floats, Axes(BINS, 3, within=COUNTS)]
    history: Annotated[Floats, Axes(MOMENTS, "moment")]
    progress: Annotated[Floats, Axes(5, within=COUNTS)]
    replayed: Annotated[Floats, Axes("members", within=COUNTS)]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Monitor:
        """Return the first state for `params["members"]` experts."""
        m = params["members"]
        state = initial_state(cls, sizes, {"members": m, "moment": 2 * (m + 1) + MOMENT})
        state.progress[STRIDE] = 1.0
        return state

    def is_sound(self) -> bool:
        """Return whether counts are whole, and there are as many moments as there is room for."""
        progress = self.progress
        whole = bool((progress == np.floor(progress)).all())
        return bool(whole and progress[KEPT] <= MOMENTS and progress[STRIDE] >= 1.0)


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
    progress[WRONG] += 0.0 if correct else 1.0
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
    history[n, 0], history[n, 1], history[n, 2] = (
        progress[SEEN],
        progress[EXPLORED],
        progress[WRONG],
    )
    for i in range(inputs):
        history[n, MOMENT + i] = stack.beliefs[i]
        history[n, MOMENT + inputs + i] = stack.weights[i]
    progress[KEPT] += 1.0


@kernel
def count_replay(monitor: Monitor, estimates: Floats) -> None:
    """Count a remembered round for each expert that learns from it: that scored it."""
    for i in range(estimates.shape[0]):
        if not math.isnan(estimates[i, 0]):
            monitor.replayed[i] += 1.0


def report(monitor: Monitor, names: list[str]) -> dict[str, Any]:
    """Return the diagnostics as plain data; names are those of the experts, each once."""
    kept, inputs = int(monitor.progress[KEPT]), len(names) + 1
    moments, weights = monitor.history[:kept].T, monitor.history[:kept, MOMENT:].T.tolist()
    rounds, explored, wrong = moments[:MOMENT].astype(int).tolist()
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
        "rounds": rounds,
        "mistakes": wrong,
        "explorations": explored,
        "beliefs": dict(zip([*names, "stack"], weights[:inputs], strict=True)),
        "stack_weights": dict(zip([*names, "bias"], weights[inputs:], strict=True)),
        "calibration": bins,
        "explored": float(monitor.progress[EXPLORED]) / seen,
        "replay": dict(zip(names, (monitor.replayed / seen).tolist(), strict=True)),
    }
