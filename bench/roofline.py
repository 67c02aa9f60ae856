"""The roofline of a loop: a loop that touches the same rows and weights and only adds them up.

It reads the values of each row once, all of them if the row is dense, and for each feature that is
not zero the weights of all labels, four features at a time, as scoring does. Then it reads and
writes those of the labels that the learner changed in that round, each with 0 added. Which values
are not zero, and which labels were changed, is known to it. It does not multiply, draw, compare or
learn.

Both loops go over the rows a second time: in the first pass a learner of many features mostly waits
for the system to give it memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numba
import numpy as np

from bench import datasets, kernels
from bench.datasets import Dataset, dataset
from bench.timing import Case, step_seconds
from onebit.agent.core import Core
from onebit.agent.recipe import Recipe
from onebit.kernel import verbs
from onebit.kernel.fetching import fetch_all
from onebit.kernel.rows import as_sparse
from onebit.kernel.state import learned_arrays, size_in_bytes

LEARNERS = ("banditron", "perceptron", "cova", "banditboost:n=10")
ROWS = ("sparse", "dense", "connect4", "reuters4shape")


def cases(most: int | None = None) -> Iterator[Case]:
    """Yield the cases: each learner on each kind of rows, and its roofline."""
    for name in ROWS:
        given = dataset(name, most)
        for spec in LEARNERS:
            yield (ours := _learner(spec, name, given))
            yield _roofline(spec, name, given, ours.name)


def _learner(spec: str, name: str, given: Dataset) -> Case:
    def run() -> list[float]:
        core, missed = _played_once(spec, given), np.empty(given.rounds, np.bool_)
        return step_seconds(kernels._plays(core.play, given, missed))

    state = size_in_bytes(_played_once(spec, given.head(0)).player.learner)
    title = f"{spec}, {name}, all of it"
    return Case("roofline", title, given.rounds, run, state, None, given.about)


def _roofline(spec: str, name: str, given: Dataset, against: str) -> Case:
    parts = parts_of(spec, given)

    def run() -> list[float]:
        return step_seconds(add_up(*part) for part in parts)

    title = f"{spec}, {name}, roofline"
    return Case("roofline", title, given.rounds, run, None, against, given.about)


def parts_of(spec: str, given: Dataset) -> list[tuple[Any, ...]]:
    """Return the arguments of `add_up` for each block."""
    weights, changed = _weights_and_changes(spec, given)
    sums, copies = np.zeros(weights.shape[1]), weights.shape[1] // given.sizes.labels
    parts = []
    for block, labels in zip(given.blocks, changed, strict=True):
        starts, indices, values = as_sparse(block.rows)
        values = getattr(block.rows, "values", values).reshape(-1)
        parts.append((values, starts, indices, weights, *labels, copies, sums, 0.0))
    verbs._register_overloads()  # of `fetch_all`
    return parts


def _played_once(spec: str, given: Dataset) -> Core:
    """Return a learner that has played the rows once."""
    core = Core(Recipe.parse(spec), given.sizes, datasets.SEED)
    for _ in kernels._plays(core.play, given, np.empty(given.rounds, np.bool_)):
        pass
    return core


def _weights_and_changes(
    spec: str, given: Dataset
) -> tuple[np.ndarray, list[tuple[np.ndarray, np.ndarray]]]:
    """Return a learner's weights, and which labels' weights change in the second pass.

    The weights are its largest array with a row for each feature. For each block there are the
    changed labels of all its rounds, side by side, after where those of each round begin.
    """
    core, missed = _played_once(spec, given), np.empty(1, np.bool_)
    arrays = learned_arrays(core.player.learner).values()
    found = [a for a in arrays if a.ndim > 1 and a.shape[0] == given.sizes.features]
    weights = max(found, key=lambda array: array.size).reshape(given.sizes.features, -1)
    copies, changes, first = weights.shape[1] // given.sizes.labels, [], 1
    for block in given.blocks:
        starts, indices, _ = as_sparse(block.rows)
        begins, labels = [0], []
        for i in range(block.rounds):
            features = indices[starts[i] : starts[i + 1]]
            before = weights[features]
            core.play(block.pick(np.arange(i, i + 1)), first + i, missed)
            columns = np.flatnonzero((weights[features] != before).any(axis=0))
            labels.extend(np.unique(columns // copies).tolist())
            begins.append(len(labels))
        changes.append((np.array(begins), np.array(labels, np.int64)))
        first += block.rounds
    return weights, changes


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=True)
def _sum(values):  # type: ignore[no-untyped-def]
    total = 0.0
    for j in range(len(values)):
        total += values[j]
    return total


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=True)
def add_up(values, starts, indices, weights, begins, changed, copies, sums, step):  # type: ignore[no-untyped-def]
    """Add up the values of all rows and the weights of their features; step the changed ones."""
    total, rows = 0.0, len(starts) - 1
    dense, width = len(values) != len(indices), len(values) // rows
    for i in range(rows):
        start, stop = starts[i], starts[i + 1]
        first, last = (i * width, (i + 1) * width) if dense else (start, stop)
        total += _sum(values[first:last])
        fetch_all(weights, indices[start:stop])
        fours = start + (stop - start) // 4 * 4
        for n in range(start, fours, 4):
            a, b, c, d = indices[n], indices[n + 1], indices[n + 2], indices[n + 3]
            for k in range(len(sums)):
                sums[k] += weights[a, k] + weights[b, k] + weights[c, k] + weights[d, k]
        for n in range(fours, stop):
            for k in range(len(sums)):
                sums[k] += weights[indices[n], k]
        for m in range(begins[i], begins[i + 1]):
            at = changed[m] * copies
            for n in range(start, stop):
                for k in range(at, at + copies):
                    weights[indices[n], k] += step
    return total
