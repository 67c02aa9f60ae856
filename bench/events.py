"""One decision at a time from Python: decide and learn, with input checks."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from bench import datasets
from bench.timing import Case, step_seconds
from onebit.agent.agent import Agent
from onebit.kernel.rng import key, uniform

#: Events between two readings of the clock.
BATCH = 100


def cases(events: int) -> Iterator[Case]:
    """Yield the cases: a full array, one of SYNSEP's (50 of 400 not zero), a dict, and `auto`."""
    block = datasets.dataset("dense", events).blocks[0].head(events)
    truths = datasets.labels(block)
    source = key(0, "bench values")
    width = datasets.SIZES.features
    full = np.array([uniform(source, n) for n in range(width * 100)]).reshape(100, width)
    sparse = datasets.nonzero_features(datasets.dataset("sparse", events).blocks[0])
    words = [{f"word {j}": 1.0 for j in row[:20]} for row in sparse]
    yield _case("decide + learn, array of 50", [full[n % 100, :50] for n in range(events)], truths)
    yield _case(f"decide + learn, array of {width}", [full[n % 100] for n in range(events)], truths)
    yield _case("decide + learn, row of SYNSEP", list(block.rows.values), truths)
    yield from _csr_case(full, truths)
    yield _case("decide + learn, dict of 20 names", words[:events], truths)
    table = [{f"column {j}": float(full[n % 100, j]) for j in range(20)} for n in range(events)]
    few = [int(8 * full[n % 100, 0]) for n in range(events)]
    yield _case(
        "decide + learn, dict of 20 names, auto:size=light", table, few, "auto:size=light", 8
    )


def _csr_case(full: Any, truths: list[int]) -> Iterator[Case]:
    """Yield the case of CSR rows with 75 entries in 10,000 columns, if scipy is there."""
    try:
        sparse: Any = importlib.import_module("scipy.sparse")
    except ImportError:
        return
    columns = np.arange(75, dtype=np.int32) * 133
    rows = [
        sparse.csr_array((full[n % 100, :75], columns, [0, 75]), shape=(1, 10_000))
        for n in range(len(truths))
    ]
    yield _case("decide + learn, CSR row of 75", rows, truths)


def _case(
    name: str,
    rows: list[Any],
    truths: list[int],
    learner: str = "banditron",
    labels: int = datasets.SIZES.labels,
) -> Case:
    def run() -> list[float]:
        agent = Agent(learner, labels=range(labels), seed=0)
        agent.predict(rows[0])  # loads the compiled code
        return step_seconds(play_batch(agent, n) for n in range(0, len(rows), BATCH))

    def play_batch(agent: Agent, first: int) -> None:
        for n in range(first, first + BATCH):
            choice = agent.decide(rows[n])
            agent.learn(choice, correct=choice.label == truths[n])

    return Case("events", name, len(rows), run)
