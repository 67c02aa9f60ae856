"""How time is measured: cases are interleaved, so that noise affects all of them alike.

A run has parts, such as one for each block, and medians and minima over the repeats are
taken of each part: on a busy machine a part of some milliseconds is more likely to run
undisturbed than a whole run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np


class Case(NamedTuple):
    """A case to measure: `run` runs it once and returns the seconds of each part.

    `rounds` is the number of rounds (or rows) of one run, `state` the bytes of the
    learner's state, `against` the name of the case to compare with, `on` describes the
    rows.
    """

    section: str
    name: str
    rounds: int
    run: Callable[[], list[float]]
    state: int | None = None
    against: str | None = None
    on: str = ""


class Measurement(NamedTuple):
    """Microseconds per round of a case: by the medians and by the minima of its parts.

    `ratio` is its minimum over the minimum of the case named by `against`: the minimum is
    the time without disturbance.
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


def measure(cases: Sequence[Case], repeats: int) -> list[Measurement]:
    """Run every case once unmeasured (it compiles), then `repeats` times, interleaved."""
    taken: dict[str, list[list[float]]] = {case.name: [] for case in cases}
    assert len(taken) == len(cases), "two cases share a name"
    for case in cases:
        case.run()
    for _ in range(repeats):
        for case in cases:
            taken[case.name].append(case.run())
    least = {case.name: _us(case, np.min(taken[case.name], axis=0)) for case in cases}
    return [
        Measurement(
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


def step_seconds(steps: Iterator[object]) -> list[float]:
    """Return the seconds that each step of an iterator takes."""
    times = [time.perf_counter()]
    times.extend(time.perf_counter() for _ in steps)
    return np.diff(times).tolist()


def _us(case: Case, seconds: np.ndarray) -> float:
    return float(seconds.sum()) / case.rounds * 1e6
