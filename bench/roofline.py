"""The roofline of a loop: a loop that reads the same rows and weights and only adds them up.

It reads each row once, and for each of its features the weights of all labels, as scoring does; it
does not multiply, draw, compare or learn. Labels are added up side by side where rows are sparse,
and in any order where they are dense.
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
from onebit.kernel.block import Block
from onebit.kernel.rows import DenseRows
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


def _case(spec: str, name: str, given: Dataset) -> Case:
    weights = weights_of(spec, given)

    def run() -> list[float]:
        return step_seconds(add_up(block, weights) for block in given.blocks)

    on = given.about
    return Case("roofline", f"{spec}, {name}, roofline", given.rounds, run, None, None, on)


def add_up(block: Block, weights: Any) -> float:
    """Add up the values of all rows and the weights of their features."""
    if isinstance(block.rows, DenseRows):
        return _add_dense(block.rows.values, weights)  # type: ignore[no-any-return]
    return _add_sparse(*block.rows, weights, np.zeros(weights.shape[1]))  # type: ignore[no-any-return]


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _add_sparse(starts, indices, values, weights, sums):  # type: ignore[no-untyped-def]
    total = 0.0
    for i in range(len(starts) - 1):
        for n in range(starts[i], starts[i + 1]):
            total += values[n]
            for k in range(len(sums)):
                sums[k] += weights[indices[n], k]
    return total + sums.sum()


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=True)
def _add_dense(values, weights):  # type: ignore[no-untyped-def]
    total, every = 0.0, weights.reshape(-1)
    for i in range(values.shape[0]):
        for j in range(values.shape[1]):
            total += values[i, j]
        for n in range(len(every)):
            total += every[n]
    return total
