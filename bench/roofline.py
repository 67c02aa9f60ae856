"""The roofline of a loop: a loop that touches the same rows and weights and only adds them up.

It reads the values of each row once, all of them if the row is dense, and for each feature that is
not zero the weights of all labels, four features at a time, as scoring does; again those of one
label where the learner changes them in every round. Where the values that are not zero are is known
to it. It does not multiply, draw, compare or learn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numba
import numpy as np

from bench import datasets, kernels
from bench.datasets import Dataset, dataset
from bench.timing import Case, step_seconds
from onebit.agent.recipe import Recipe
from onebit.kernel import verbs
from onebit.kernel.block import Block
from onebit.kernel.fetching import fetch_all
from onebit.kernel.rows import as_sparse
from onebit.kernel.state import learned_arrays

LEARNERS = ("banditron", "perceptron", "cova", "banditboost:n=10")
ROWS = ("sparse", "dense", "connect4", "reuters4shape")


def cases(most: int | None = None) -> Iterator[Case]:
    """Yield the cases: each learner on each kind of rows, and its roofline."""
    for name in ROWS:
        given = dataset(name, most)
        for spec in LEARNERS:
            ours = kernels._case(spec, name, kernels._onebit_loop, "roofline", given)
            ours = ours._replace(name=f"{ours.name}, all of it")
            yield ours
            yield _case(spec, name, given)._replace(against=ours.name)


def weights_of(spec: str, given: Dataset) -> np.ndarray:
    """Return the weights of a learner: the largest array with a row for each feature."""
    player = Recipe.parse(spec).player(given.sizes, datasets.SEED)
    arrays = learned_arrays(player.learner).values()
    found = [a for a in arrays if a.ndim > 1 and a.shape[0] == given.sizes.features]
    largest = max(found, key=lambda array: array.size)
    return np.ones_like(largest).reshape(given.sizes.features, -1)


def learned_columns(spec: str, given: Dataset) -> int:
    """Return how many weights of each feature change in every round."""
    learner = Recipe.parse(spec).player(given.sizes, datasets.SEED).learner
    return learner.weak.n if hasattr(learner, "weak") else 0


def _case(spec: str, name: str, given: Dataset) -> Case:
    weights, again = weights_of(spec, given), learned_columns(spec, given)
    sums = np.zeros(weights.shape[1])
    parts = [(*rows_of(block), weights, again, sums) for block in given.blocks]
    verbs._register_overloads()  # of `fetch_all`

    def run() -> list[float]:
        return step_seconds(add_up(*part) for part in parts)

    on = given.about
    return Case("roofline", f"{spec}, {name}, roofline", given.rounds, run, None, None, on)


def rows_of(block: Block) -> tuple[Any, ...]:
    """Return all values of a block, a row or all rows at a time, and its sparse form."""
    starts, indices, values = as_sparse(block.rows)
    return (getattr(block.rows, "values", values).reshape(-1), starts, indices)


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=True)
def _sum(values):  # type: ignore[no-untyped-def]
    total = 0.0
    for j in range(len(values)):
        total += values[j]
    return total


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=True)
def add_up(values, starts, indices, weights, again, sums):  # type: ignore[no-untyped-def]
    """Add up the values of all rows, and the weights of their features."""
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
        for n in range(start, stop if again else start):
            for k in range(again):
                sums[k] += weights[indices[n], k]
    return total
