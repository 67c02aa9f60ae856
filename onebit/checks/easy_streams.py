"""Small easy streams on which learners are checked.

    rows, truths = easy_stream(300, MyLearner)

Rows are what the learner reads, and few enough to be played in plain Python.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from onebit import learners
from onebit.kernel.rng import key, uniform
from onebit.kernel.rows import DenseRows, Ints
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import declared_arrays
from onebit.naming.params import declared_params

LABELS, FEATURES = 4, 16
#: How often the best label of each group of `noisy_groups` is right.
NOISY_RATES = (0.95, 0.8, 0.65, 0.5)
#: The most copies that a learner is checked with.
COPIES = 5


class EasyStream(NamedTuple):
    """Rows, and the label of each."""

    rows: DenseRows
    truths: Ints


def easy_stream(n: int, kind: type | None = None) -> EasyStream:
    """Return n rows of what a learner reads."""
    reads = "features" if kind is None else learners.traits(kind).row
    lessons = {"advice": easy_advice, "few features": easy_directions}
    rows, truths = lessons.get(reads, easy_features)(n)
    return EasyStream(
        rows, truths if kind is None else truths % np.int32(stream_sizes(kind).labels)
    )


def stream_sizes(kind: type) -> Sizes:
    """Return the sizes of a learner's easy stream."""
    traits = learners.traits(kind)
    if traits.row == "few features":
        return Sizes(2, 3)
    return Sizes(FEATURES, traits.labels or LABELS)


def small_params(kind: type) -> dict[str, Any]:
    """Return the parameters for checks that differ from the defaults: fewer copies."""
    axes = {str(axis) for each in declared_arrays(kind).values() for axis in each.axes}
    return {p.name: min(p.default, COPIES) for p in declared_params(kind) if p.name in axes}


def easy_features(n: int) -> EasyStream:
    """Return separable rows: two features that identify the label, and some noise."""
    source = key(0, "lesson")
    rows, truths = np.zeros((n, FEATURES)), np.empty(n, np.int32)
    for i in range(n):
        draws = [uniform(source, i * 8 + m) for m in range(8)]
        truths[i] = int(draws[0] * LABELS)
        rows[i, truths[i] * 3 : truths[i] * 3 + 3] = 1.0
        rows[i, truths[i] * 3 + int(draws[1] * 3)] = 0.0
        rows[i, 12 + int(draws[2] * 4)] = draws[3] - 0.5
    return EasyStream(DenseRows(rows), truths)


def noisy_groups(n: int, labels: int) -> EasyStream:
    """Return rows of one of four groups; label g is right in NOISY_RATES[g] of group g."""
    source = key(0, "lesson of noisy groups")
    rows, truths = np.zeros((n, FEATURES)), np.empty(n, np.int32)
    for i in range(n):
        draws = [uniform(source, i * 4 + m) for m in range(3)]
        group = int(draws[0] * len(NOISY_RATES))
        rows[i, group] = 1.0
        off = 0 if draws[1] < NOISY_RATES[group] else 1 + int(draws[2] * (labels - 1))
        truths[i] = (group + off) % labels
    return EasyStream(DenseRows(rows), truths)


def easy_advice(n: int) -> EasyStream:
    """Return the advice of 16 hypotheses: number 11 is perfect, the others guess."""
    source = key(0, "lesson of advice")
    rows, truths = np.empty((n, FEATURES)), np.empty(n, np.int32)
    for i in range(n):
        for m in range(FEATURES):
            rows[i, m] = int(uniform(source, i * FEATURES + m) * LABELS)
        truths[i] = rows[i, 11]
    return EasyStream(DenseRows(rows), truths)


def easy_directions(n: int) -> EasyStream:
    """Return points of the unit circle near one of three directions, which are the labels."""
    source = key(0, "lesson of directions")
    rows, truths = np.empty((n, 2)), np.empty(n, np.int32)
    for i in range(n):
        truths[i] = int(uniform(source, 2 * i) * 3)
        turn = (uniform(source, 2 * i + 1) - 0.5) * 0.8
        angle = truths[i] * 2.0 * math.pi / 3.0 + turn
        rows[i] = math.cos(angle), math.sin(angle)
    return EasyStream(DenseRows(rows), truths)
