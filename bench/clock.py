"""How time is measured: cases take turns, so that noise hits all alike.

A run comes in parts, such as one for each block, and every part keeps its own
median and least over the repeats: a part of some milliseconds finds a quiet
moment on a busy machine where a whole run does not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np


class Case(NamedTuple):
    """Something to measure: `run` does it once and returns the seconds of each part.

    `rounds` is how many rounds (or rows) one run goes through, `state` how many
    bytes the learner remembers, `against` the name of the case that it is
    compared with, `on` what its rows are.
    """

    section: str
    name: str
    rounds: int
    run: Callable[[], list[float]]
    state: int | None = None
    against: str | None = None
    on: str = ""


class Measured(NamedTuple):
    """What a case takes: us a round, by the medians and by the leasts of its parts.

    `ratio` is its least over the least of the case named by `against`: the
    least is what the work takes when nothing else disturbs it.
    """

    section: str
    name: str
    us: float
    least: float
    rounds: int
    state: int | None
    ratio: float | None
    against: str | None
    on: str


def measure(cases: Sequence[Case], repeats: int) -> list[Measured]:
    """Run every case once unmeasured (it compiles), then `repeats` times in turn."""
    taken: dict[str, list[list[float]]] = {case.name: [] for case in cases}
    assert len(taken) == len(cases), "two cases share a name"
    for case in cases:
        case.run()
    for _ in range(repeats):
        for case in cases:
            taken[case.name].append(case.run())
    least = {case.name: _us(case, np.min(taken[case.name], axis=0)) for case in cases}
    return [
        Measured(
            case.section,
            case.name,
            _us(case, np.median(taken[case.name], axis=0)),
            least[case.name],
            case.rounds,
            case.state,
            least[case.name] / least[case.against] if case.against else None,
            case.against,
            case.on,
        )
        for case in cases
    ]


def laps(steps: Iterator[object]) -> list[float]:
    """Return the seconds that each step of an iterator takes."""
    times = [time.perf_counter()]
    times.extend(time.perf_counter() for _ in steps)
    return np.diff(times).tolist()


def _us(case: Case, seconds: np.ndarray) -> float:
    return float(seconds.sum()) / case.rounds * 1e6
